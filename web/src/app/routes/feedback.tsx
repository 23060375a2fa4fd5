/** /feedback : a member's feedback on the product. */
import { FeedbackForm } from '@/features/feedback/components/feedback-form'
import { copy } from '@/features/feedback/copy'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title={copy.title} />
      <div className="mx-auto max-w-[40rem]">
        <h1 className="type-h1">{copy.title}</h1>
        <p className="mt-1 mb-5 text-muted">{copy.lead}</p>
        <FeedbackForm />
      </div>
    </>
  )
}
