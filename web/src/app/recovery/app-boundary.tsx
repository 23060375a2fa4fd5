/** The outermost error boundary: 'Application Error' when even the router failed (§8.3). */
import { Component, type ReactNode } from 'react'
import { FailureScreen } from '@/components/failure-screen'
import { Button } from '@/components/ui/button'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'

export class AppBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: Error) {
    logError('The application failed', error)
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <FailureScreen
        title="Application Error"
        message="Something in Muster stopped working. Your data is safe: nothing was sent."
      >
        <Button variant="primary" onClick={() => window.location.reload()}>
          Refresh Page
        </Button>
        <Button onClick={() => window.location.assign(paths.landing)}>Go to Home</Button>
      </FailureScreen>
    )
  }
}
