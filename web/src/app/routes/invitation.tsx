/** /invitation : an invited visitor becomes a member (§2.6). */
import { Navigate } from 'react-router-dom'
import { useAuth } from '@/api/session/auth-context'
import { FullScreenSpinner } from '@/components/ui/spinner'
import { paths } from '@/config/paths'
import { InvitationPage } from '@/features/auth/components/invitation-page'
import { copy } from '@/features/auth/copy'
import { DocumentHead } from '@/components/document-head'

function Invitation() {
  const { status } = useAuth()
  if (status === 'unknown') return <FullScreenSpinner />
  if (status === 'signed-in') return <Navigate to={paths.feed} replace />
  return <InvitationPage />
}

export function Component() {
  return (
    <>
      <DocumentHead title={copy.invitation.title} description={copy.invitation.description} />
      <Invitation />
    </>
  )
}
