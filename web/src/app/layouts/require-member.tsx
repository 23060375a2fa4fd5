/** The member guard: visitors go to /login and return to the requested page afterwards (§2.27). */
import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useAuth } from '@/api/session/auth-context'
import { FullScreenSpinner } from '@/components/ui/spinner'
import { paths } from '@/config/paths'

export function RequireMember({ children }: { children: ReactNode }) {
  const { status, leaving } = useAuth()
  const { pathname, search, hash } = useLocation()
  if (status === 'unknown') return <FullScreenSpinner />
  if (status === 'signed-out') {
    const from = leaving ? undefined : `${pathname}${search}${hash}`
    return <Navigate to={paths.login} replace state={{ from }} />
  }
  return children
}
