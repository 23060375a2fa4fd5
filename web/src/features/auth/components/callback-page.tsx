/** Follows a link from an e-mail, and shows an error for one that does not work. First removes the tokens from the URL. */
import { useEffect, useRef, useState } from 'react'
import { Navigate } from 'react-router-dom'
import { LinkButton } from '@/components/ui/button'
import { FullScreenSpinner } from '@/components/ui/spinner'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { type Followed, followLink } from '../api/follow-link'
import { parseCallback } from '../callback'
import { copy } from '../copy'
import { AuthFrame } from './auth-frame'
import { FormMessage } from './form-message'

export function CallbackPage() {
  const [callback] = useState(() => parseCallback(window.location.href))
  const [followed, setFollowed] = useState<Followed | null>(null)
  const started = useRef(false)

  useEffect(() => {
    if (started.current) return // a code can be used once
    started.current = true
    window.history.replaceState(window.history.state, '', paths.authCallback) // tokens must not stay in the URL
    followLink(callback)
      .catch((cause: unknown): Followed => {
        logError('The link could not be followed', cause)
        return { kind: 'failed', why: 'unknown', message: copy.errors.network }
      })
      .then(
        (outcome) => {
          setFollowed(outcome)
          if (callback.kind === 'first-of-two') showToast(copy.callback.firstOfTwo)
        },
        () => undefined,
      )
  }, [callback])

  if (!followed) return <FullScreenSpinner label={copy.callback.working} />
  if (followed.kind === 'done') return <Navigate to={followed.next} replace />
  const { expired, otherBrowser } = copy.callback
  const message = { expired, 'other-browser': otherBrowser, unknown: followed.message || copy.errors.unknown }[
    followed.why
  ]
  return (
    <AuthFrame title={copy.callback.failedTitle}>
      <FormMessage tone="error">{message}</FormMessage>
      <div className="grid gap-3">
        <LinkButton to={paths.login} variant="primary" size="lg" block>
          {copy.callback.toLogin}
        </LinkButton>
        <LinkButton to={paths.forgotPassword} size="lg" block>
          {copy.callback.newLink}
        </LinkButton>
      </div>
    </AuthFrame>
  )
}
