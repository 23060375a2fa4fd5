/** Any other path below /admin: the 404 page (§2.53), in the admins' frame for admins, in the public one for others. */
import { useQuery } from '@tanstack/react-query'
import { useAuth } from '@/api/session/auth-context'
import { FullScreenSpinner } from '@/components/ui/spinner'
import { adminCheckQuery } from '@/features/admin-shared/api/queries'
import { adminCopy } from '@/features/admin-shared/copy'
import { NotFound } from '@/features/not-found/components/not-found'
import { AdminFrame } from '../layouts/admin-layout'
import { PublicFrame } from '../layouts/public-layout'

export function Component() {
  const { status, user } = useAuth()
  const check = useQuery(adminCheckQuery(user?.id))
  if (status === 'unknown' || (status === 'signed-in' && check.isPending)) {
    return <FullScreenSpinner label={adminCopy.loading} />
  }
  if (status === 'signed-in' && check.data === true) {
    return (
      <AdminFrame>
        <NotFound />
      </AdminFrame>
    )
  }
  return (
    <PublicFrame>
      <NotFound />
    </PublicFrame>
  )
}
