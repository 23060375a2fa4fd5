/** /auth/callback : where links from mails come back to (§2.4). */
import { CallbackPage } from '@/features/auth/components/callback-page'
import { copy } from '@/features/auth/copy'
import { usePageHead } from '@/lib/browser/page-head'

export function Component() {
  usePageHead({ title: copy.login.title })
  return <CallbackPage />
}
