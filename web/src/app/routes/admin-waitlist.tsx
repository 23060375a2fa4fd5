/** /admin/waitlist */
import { WaitlistPage } from '@/features/admin/components/waitlist-page'
import { usePageHead } from '@/lib/head'

export function Component() {
  usePageHead({ title: 'Waitlist' })
  return <WaitlistPage />
}
