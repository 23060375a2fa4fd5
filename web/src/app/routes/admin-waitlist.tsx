/** /admin/waitlist */
import { WaitlistPage } from '@/features/admin-waitlist/components/waitlist-page'
import { usePageHead } from '@/lib/browser/page-head'

export function Component() {
  usePageHead({ title: 'Waitlist' })
  return <WaitlistPage />
}
