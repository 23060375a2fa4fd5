/** /admin/waitlist */
import { WaitlistPage } from '@/features/admin-waitlist/components/waitlist-page'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title="Waitlist" />
      <WaitlistPage />
    </>
  )
}
