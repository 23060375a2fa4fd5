/** /admin/dashboard */
import { Dashboard } from '@/features/admin-dashboard/components/dashboard'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title="Dashboard" />
      <Dashboard />
    </>
  )
}
