/** /new-password : the target of a recovery link, with the session it created. */
import { useNavigate } from 'react-router-dom'
import { useAuth } from '@/api/session/auth-context'
import { LinkButton } from '@/components/ui/button'
import { FullScreenSpinner } from '@/components/ui/spinner'
import { paths } from '@/config/paths'
import { AuthFrame } from '@/features/auth/components/auth-frame'
import { NewPasswordForm } from '@/features/auth/components/new-password-form'
import { FormMessage } from '@/features/auth/components/form-message'
import { copy } from '@/features/auth/copy'
import { DocumentHead } from '@/components/document-head'
import { showToast } from '@/lib/toasts/toast'

function NewPassword() {
  const { status, user } = useAuth()
  const navigate = useNavigate()
  if (status === 'unknown') return <FullScreenSpinner />
  if (status === 'signed-out') {
    return (
      <AuthFrame title={copy.newPassword.title}>
        <FormMessage tone="error">{copy.newPassword.noSession}</FormMessage>
        <LinkButton to={paths.forgotPassword} variant="primary" size="lg" block>
          {copy.callback.newLink}
        </LinkButton>
      </AuthFrame>
    )
  }
  const saved = () => {
    showToast(copy.newPassword.done)
    void navigate(paths.feed, { replace: true })
  }
  return (
    <AuthFrame title={copy.newPassword.title} lead={copy.newPassword.lead}>
      <NewPasswordForm email={user?.email ?? ''} onSaved={saved} />
    </AuthFrame>
  )
}

export function Component() {
  return (
    <>
      <DocumentHead title={copy.newPassword.title} />
      <NewPassword />
    </>
  )
}
