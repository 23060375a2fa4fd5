/** /login : sign-in; signed-in members continue to the page they requested (§2.2, §2.27). */
import { Link, Navigate, useLocation } from 'react-router-dom'
import { useAuth } from '@/api/session/auth-context'
import { FullScreenSpinner } from '@/components/ui/spinner'
import { paths } from '@/config/paths'
import { AuthFrame } from '@/features/auth/components/auth-frame'
import { LoginForm } from '@/features/auth/components/login-form'
import { FormMessage } from '@/features/auth/components/form-message'
import { copy } from '@/features/auth/copy'
import { DocumentHead } from '@/components/document-head'
import { originOf } from '@/lib/browser/origin'

function Login() {
  const location = useLocation()
  const { status } = useAuth()
  const origin = originOf(location, window.location.origin)
  if (status === 'unknown') return <FullScreenSpinner />
  if (status === 'signed-in') return <Navigate to={origin} replace />
  const confirmed = new URLSearchParams(location.search).has('confirmed')
  return (
    <AuthFrame title={copy.login.title} lead={copy.login.lead}>
      {confirmed && <FormMessage tone="done">{copy.login.confirmed}</FormMessage>}
      <LoginForm next={origin} />
      <p className="mt-6 text-small text-muted">
        {copy.login.noAccount}{' '}
        <Link to={paths.register} state={{ from: origin }} className="link-inline">
          {copy.login.register}
        </Link>
      </p>
    </AuthFrame>
  )
}

export function Component() {
  return (
    <>
      <DocumentHead title={copy.login.title} description={copy.login.description} />
      <Login />
    </>
  )
}
