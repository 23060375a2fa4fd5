/** Error boundaries of the routes: a page, a layout, the router itself (§2.27, §8.2-12). */
import { useEffect, useState } from 'react'
import { useRouteError } from 'react-router-dom'
import { FailureScreen } from '@/components/failure-screen'
import { Button } from '@/components/ui/button'
import { FullScreenSpinner } from '@/components/ui/spinner'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import { isChunkFailure, type Remedy } from './chunk-failure'
import { plannedRemedy, recoverFromChunkFailure } from './recover'

const reload = () => window.location.reload()

interface Props {
  title: string
  action?: 'reload' | 'login'
  inLayout?: boolean
}

function RouteFailure({ title, action = 'reload', inLayout = false }: Props) {
  const error = useRouteError()
  const chunk = isChunkFailure(error)
  const [remedy] = useState<Remedy | null>(() => (chunk ? plannedRemedy() : null))
  useEffect(() => {
    logError(title, error)
    if (chunk) recoverFromChunkFailure()
  }, [error, chunk, title])
  useEffect(() => {
    if (!chunk) return
    window.addEventListener('online', reload)
    return () => window.removeEventListener('online', reload)
  }, [chunk])
  if (chunk && remedy !== 'give-up') {
    return (
      <>
        <title>Muster</title>
        <FullScreenSpinner label="Trying again…" />
      </>
    )
  }
  const message = chunk
    ? 'This page couldn’t be loaded. It opens by itself once you’re back online.'
    : 'Reload to try again. If it keeps happening, come back in a few minutes.'
  return (
    <FailureScreen title={title} message={message} inLayout={inLayout}>
      {action === 'login' ? (
        <Button variant="primary" onClick={() => window.location.assign(paths.login)}>
          Return to Login
        </Button>
      ) : (
        <Button variant="primary" onClick={reload}>
          Reload
        </Button>
      )}
    </FailureScreen>
  )
}

export const PageError = () => <RouteFailure title="Something went wrong" inLayout /> // §8.3
/** For a page without a layout, and for a layout that does not load. */
export const DocumentError = () => <RouteFailure title="Something went wrong" /> // §8.3
export const MemberLayoutError = () => <RouteFailure title="Dashboard Layout Error" action="login" /> // §2.27
export const RouterError = () => <RouteFailure title="Unexpected Application Error!" /> // §8.4
