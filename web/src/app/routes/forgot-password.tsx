/** /forgot-password : requests a recovery link. */
import { Link, useLocation } from 'react-router-dom'
import { paths } from '@/config/paths'
import { AuthFrame } from '@/features/auth/components/auth-frame'
import { RecoveryForm } from '@/features/auth/components/recovery-form'
import { copy } from '@/features/auth/copy'
import { DocumentHead } from '@/components/document-head'
import { originOf } from '@/lib/browser/origin'

function emailOf(state: unknown): string {
  const given = typeof state === 'object' && state !== null && 'email' in state ? state.email : ''
  return typeof given === 'string' ? given : ''
}

export function Component() {
  const location = useLocation()
  return (
    <>
      <DocumentHead title={copy.forgot.title} />
      <AuthFrame title={copy.forgot.title} lead={copy.forgot.lead}>
        <RecoveryForm knownEmail={emailOf(location.state)} />
        <p className="mt-6 text-small">
          <Link to={paths.login} state={{ from: originOf(location, window.location.origin) }} className="link">
            {copy.forgot.back}
          </Link>
        </p>
      </AuthFrame>
    </>
  )
}
