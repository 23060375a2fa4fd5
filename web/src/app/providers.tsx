/** What every page stands on: network status, session, toasts. The data cache comes with the pages that read. */
import { type ReactNode, useEffect } from 'react'
import { AuthProvider } from '@/api/session/auth-provider'
import { ToasterHost } from '@/components/toaster-host'
import { NetworkStatusProvider } from '@/lib/connectivity/network-status-provider'
import { applicationStarted } from '@/lib/early-press'
import { handOverFocus } from '@/lib/focus-handover'

export function Providers({ children, goToLogin }: { children: ReactNode; goToLogin: () => void }) {
  useEffect(() => {
    handOverFocus()
    applicationStarted()
  }, [])
  return (
    <>
      <NetworkStatusProvider>
        <AuthProvider goToLogin={goToLogin}>{children}</AuthProvider>
      </NetworkStatusProvider>
      <ToasterHost />
    </>
  )
}
