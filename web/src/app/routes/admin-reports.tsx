/** /admin/reports */
import { DocumentHead } from '@/components/document-head'
import { ReportsPage } from '@/features/admin-reports/components/reports-page'

export function Component() {
  return (
    <>
      <DocumentHead title="Reports" />
      <ReportsPage />
    </>
  )
}
