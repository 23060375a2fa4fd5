/** Admins only (§2.43-46, §6.4-6). The database enforces access to the data behind it. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useAuth } from '@/api/session/auth-context'
import { FullScreenSpinner } from '@/components/ui/spinner'
import { paths } from '@/config/paths'
import { adminCheckQuery } from '@/features/admin-shared/api/queries'
import { adminCopy } from '@/features/admin-shared/copy'
import { showToast } from '@/lib/toasts/toast'

/** §2.46, §8.21. */
function Denied() {
  useEffect(() => showToast(adminCopy.denied), [])
  return <Navigate to={paths.dashboard} replace />
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
  return check.data === true ? children : <Denied />
}
