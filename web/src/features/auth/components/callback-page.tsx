/** Follows a link from an e-mail, and shows an error for one that does not work. First removes the tokens from the URL. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { Navigate } from 'react-router-dom'
import { Button, LinkButton } from '@/components/ui/button'
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

  const follow = useCallback(
    (agreed: boolean) => {
      followLink(callback, agreed)
        .catch((cause: unknown): Followed => {
          logError('The link could not be followed', cause)
          return { kind: 'failed', why: 'unreachable', recovery: false }
        })
        .then(
          (outcome) => {
            setFollowed(outcome)
            if (callback.kind === 'first-of-two') showToast(copy.callback.firstOfTwo)
          },
          () => undefined,
        )
    },
    [callback],
  )

  useEffect(() => {
    if (started.current) return // a code can be used once
    started.current = true
    window.history.replaceState(window.history.state, '', paths.authCallback) // tokens must not stay in the URL
    follow(false)
  }, [follow])

  if (!followed) return <FullScreenSpinner label={copy.callback.working} />
  if (followed.kind === 'done') return <Navigate to={followed.next} replace />
  if (followed.kind === 'asks') {
    return (
      <AuthFrame title={copy.callback.asksTitle} lead={copy.callback.asks(followed.email)}>
        <div className="grid gap-3">
          <LinkButton to={paths.feed} variant="primary" size="lg" block>
            {copy.callback.stay}
          </LinkButton>
          <Button
            size="lg"
            block
            onClick={() => {
              setFollowed(null)
              follow(true)
            }}
          >
            {copy.callback.goOn}
          </Button>
        </div>
      </AuthFrame>
    )
  }
  const { expired, otherBrowser, missing } = copy.callback
  const { network, unknown } = copy.errors
  const message = { expired, missing, 'other-browser': otherBrowser, unreachable: network, unknown }[followed.why]
  return (
    <AuthFrame title={copy.callback.failedTitle}>
      <FormMessage tone="error">{message}</FormMessage>
      <div className="grid gap-3">
        <LinkButton to={paths.login} variant="primary" size="lg" block>
          {copy.callback.toLogin}
        </LinkButton>
        {followed.recovery && (
          <LinkButton to={paths.forgotPassword} size="lg" block>
            {copy.callback.newLink}
          </LinkButton>
        )}
      </div>
    </AuthFrame>
  )
}
