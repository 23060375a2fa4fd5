/** /auth/callback : the target of links in e-mails (§2.4). */
import { CallbackPage } from '@/features/auth/components/callback-page'
import { copy } from '@/features/auth/copy'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title={copy.login.title} />
      <CallbackPage />
    </>
  )
}
