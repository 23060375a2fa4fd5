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

/** Runs once the page's own script is here: until then the router would draw a spinner over what the server wrote. */
function whenInitialized(run: () => void): void {
  if (router.state.initialized) return run()
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return
    stop()
    run()
  })
}

/** Longest time that what the server wrote stays in place of a page that still loads its data. */
const servedMs = 5_000

/**
 * Draws the application beside the text that the server wrote, and shows it once it has more than skeletons. In a
 * transition: what is read meanwhile can be scrolled and left.
 */
function drawBeside(served: HTMLElement): void {
  const container = document.createElement('div')
  container.id = served.id
  container.hidden = true
  served.removeAttribute('id')
  served.after(container)
  const show = () => {
    watch.disconnect()
    window.clearTimeout(timer)
    served.remove()
    container.hidden = false
  }
  const watch = new MutationObserver(() => {
    if (container.querySelector('h1') && !container.querySelector('main [data-slot="loading"]')) show()
  })
  watch.observe(container, { childList: true, subtree: true })
  const timer = window.setTimeout(show, servedMs)
  startTransition(() => draw(container))
}

if (root.dataset.slot === 'served') whenInitialized(() => drawBeside(root))
else if (!root.hasChildNodes() || document.documentElement.dataset.prerendered === 'off') {
  delete root.dataset.slot
  draw(root)
} else whenInitialized(() => hydrate(root))
