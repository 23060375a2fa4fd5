/** /admin/feedback */
import { FeedbackPage } from '@/features/admin-feedback/components/feedback-page'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title="Feedback" />
      <FeedbackPage />
    </>
  )
}
