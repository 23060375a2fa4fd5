/** /admin/audit */
import { AuditPage } from '@/features/admin-members/components/audit-page'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title="Audit log" />
      <AuditPage />
    </>
  )
}
