/** The entry point: chunk recovery first, then the application. */
import { startTransition, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import '@/index.css'
import { logError } from '@/lib/browser/log'
import { disownServedHead } from '@/lib/browser/served-head'
import { Providers } from './providers'
import { AppBoundary } from './recovery/app-boundary'
import { installRecovery } from './recovery/recover'
import { makeRouter } from './router'

installRecovery()

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root to draw into')

const router = makeRouter()
const goToLogin = () => void router.navigate('/login', { replace: true })

const application = (
  <StrictMode>
    <AppBoundary>
      <Providers goToLogin={goToLogin}>
        <RouterProvider router={router} />
      </Providers>
    </AppBoundary>
  </StrictMode>
)

function draw(container: HTMLElement): void {
  disownServedHead()
  createRoot(container).render(application)
}

/** Hydrates the prerendered page in a transition, so that it stays readable and scrollable. */
function hydrate(container: HTMLElement): void {
  if (router.state.errors) return draw(container)
  startTransition(() => {
    hydrateRoot(container, application, {
      onRecoverableError: (cause) => logError('The prerendered page is not what the application draws', cause),
    })
  })
}

if (!root.hasChildNodes() || document.documentElement.dataset.prerendered === 'off') {
  delete root.dataset.slot
  draw(root)
} else if (router.state.initialized) hydrate(root)
else {
  // Hydration waits for the page's own chunk: without it the application would render a spinner.
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return
    stop()
    hydrate(root)
  })
}
