/** Asks for the second factor before the member area, where the session has not given it (§15.2). */
import { lazy, type ReactNode, Suspense } from 'react'
import { useAuth } from '@/api/session/auth-context'
import { needsSecondFactor, verifiedFactors } from '@/api/session/second-factor'
import { FullScreenSpinner } from '@/components/ui/spinner'
import { importHandled } from '@/lib/browser/handled-import'

const Screen = lazy(() => importHandled(() => import('@/features/security/components/second-factor-screen')))

const lead = 'Your password was right. Now your second factor.'

export function SecondFactorGate({ children }: { children: ReactNode }) {
  const { session, signOut } = useAuth()
  if (!session || !needsSecondFactor(session)) return children
  return (
    <Suspense fallback={<FullScreenSpinner />}>
      <Screen factors={verifiedFactors(session)} lead={lead} onSignOut={() => void signOut()} />
    </Suspense>
  )
}
