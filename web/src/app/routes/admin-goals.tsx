/** /admin/goals */
import { GoalsPage } from '@/features/admin-goals/components/goals-page'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title="Goals" />
      <GoalsPage />
    </>
  )
}
