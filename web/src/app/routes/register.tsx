/** /register : a new account (§2.3). */
import { Link, Navigate, useLocation } from 'react-router-dom'
import { useAuth } from '@/api/session/auth-context'
import { FullScreenSpinner } from '@/components/ui/spinner'
import { paths } from '@/config/paths'
import { RegisterForm } from '@/features/auth/components/register-form'
import { copy } from '@/features/auth/copy'
import { DocumentHead } from '@/components/document-head'
import { originOf } from '@/lib/browser/origin'

function Register() {
  const location = useLocation()
  const { status } = useAuth()
  const origin = originOf(location, window.location.origin)
  if (status === 'unknown') return <FullScreenSpinner />
  if (status === 'signed-in') return <Navigate to={origin} replace />
  return (
    <RegisterForm title={copy.register.title} lead={copy.register.lead} next={origin}>
      <p className="mt-6 text-small text-muted">
        {copy.register.haveAccount}{' '}
        <Link to={paths.login} state={{ from: origin }} className="link-inline">
          {copy.register.signIn}
        </Link>
      </p>
    </RegisterForm>
  )
}

export function Component() {
  return (
    <>
      <DocumentHead title={copy.register.title} description={copy.register.description} />
      <Register />
    </>
  )
}
