/** The door: recovery first, then the application. */
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import '@/index.css'
import { noteFocus } from '@/lib/focus-handover'
import { Providers } from './providers'
import { AppBoundary } from './recovery/app-boundary'
import { installRecovery } from './recovery/recover'
import { makeRouter } from './router'

installRecovery()

const root = document.getElementById('root')
if (!root) throw new Error('The page has no #root to draw into')

const router = makeRouter()
const goToLogin = () => void router.navigate('/login', { replace: true })

function start(container: HTMLElement): void {
  noteFocus(container)
  createRoot(container).render(
    <StrictMode>
      <AppBoundary>
        <Providers goToLogin={goToLogin}>
          <RouterProvider router={router} />
        </Providers>
      </AppBoundary>
    </StrictMode>,
  )
}

// Where the prerendered page is shown it stays until its own script has come; elsewhere a spinner comes first.
if (document.documentElement.dataset.prerendered === 'off' || router.state.initialized) start(root)
else {
  const stop = router.subscribe(({ initialized }) => {
    if (!initialized) return
    stop()
    start(root)
  })
}
