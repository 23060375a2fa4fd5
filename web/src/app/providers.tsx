/** Providers of every page: network status, session, toasts. The query client is added by the routes that fetch. */
import { type ReactNode, useEffect } from 'react'
import { AuthProvider } from '@/api/session/auth-provider'
import { ToasterHost } from '@/components/toaster-host'
import { NetworkStatusProvider } from '@/lib/browser/connectivity/network-status-provider'
import { answerEarlyPress } from '@/lib/browser/early-press'

export function Providers({ children, goToLogin }: { children: ReactNode; goToLogin: () => void }) {
  useEffect(answerEarlyPress, [])
  return (
    <>
      <NetworkStatusProvider>
        <AuthProvider goToLogin={goToLogin}>{children}</AuthProvider>
      </NetworkStatusProvider>
      <ToasterHost />
    </>
  )
}
