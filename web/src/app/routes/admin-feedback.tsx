/** /admin/feedback */
import { FeedbackPage } from '@/features/admin-feedback/components/feedback-page'
import { usePageHead } from '@/lib/browser/page-head'

export function Component() {
  usePageHead({ title: 'Feedback' })
  return <FeedbackPage />
}
