/** Admins only (§2.43-46, §6.4-6). The database enforces access to the data behind it. */
import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useAuth } from '@/api/session/auth-context'
import { verifiedFactors } from '@/api/session/second-factor'
import { FailureScreen } from '@/components/failure-screen'
import { LinkButton } from '@/components/ui/button'
import { FullScreenSpinner } from '@/components/ui/spinner'
import { paths } from '@/config/paths'
import { adminAccessQuery, adminCheckQuery } from '@/features/admin-shared/api/queries'
import { adminCopy } from '@/features/admin-shared/copy'
import { importHandled } from '@/lib/browser/handled-import'
import { showToast } from '@/lib/toasts/toast'

const SecondFactorScreen = lazy(() =>
  importHandled(() => import('@/features/security/components/second-factor-screen')),
)

/** §2.46, §8.21. */
function Denied() {
  useEffect(() => showToast(adminCopy.denied), [])
  return <Navigate to={paths.dashboard} replace />
}

/** §15.3: the operator may demand a second factor, again after 12 hours. */
function AdminFactor({ children }: { children: ReactNode }) {
  const { session, signOut } = useAuth()
  const access = useQuery(adminAccessQuery)
  if (access.data === 'no_factor') return <NoFactor />
  if (access.data !== 'second_factor' || !session) return access.isPending ? <FullScreenSpinner /> : children
  return (
    <Suspense fallback={<FullScreenSpinner label={adminCopy.loadingPanel} />}>
      <SecondFactorScreen
        factors={verifiedFactors(session)}
        lead={adminCopy.secondFactor}
        onSignOut={() => void signOut()}
      />
    </Suspense>
  )
}

function NoFactor() {
  return (
    <FailureScreen title={adminCopy.noFactor.title} message={adminCopy.noFactor.text}>
      <LinkButton variant="primary" to={paths.securitySettings}>
        {adminCopy.noFactor.action}
      </LinkButton>
    </FailureScreen>
  )
}

export function AdminGuard({ children }: { children: ReactNode }) {
  const { status, user, leaving } = useAuth()
  const { pathname, search, hash } = useLocation()
  const check = useQuery(adminCheckQuery(user?.id))
  if (status === 'signed-out') {
    const from = leaving ? undefined : `${pathname}${search}${hash}`
    return <Navigate to={paths.login} replace state={{ from }} /> // §2.45
  }
  if (status === 'unknown' || check.isPending) return <FullScreenSpinner label={adminCopy.loadingPanel} /> // §2.44
  return check.data === true ? <AdminFactor>{children}</AdminFactor> : <Denied />
}
