/** The layout of pages that are not there: the member area's for members, the public one for everybody else (§2.53). */
import { lazy, Suspense } from 'react'
import { useAuth } from '@/api/session/auth-context'
import { FullScreenSpinner } from '@/components/ui/spinner'
import { PublicLayout } from './public-layout'

const MemberLayout = lazy(() => import('./member-layout').then(({ Component }) => ({ default: Component })))

export function Component() {
  const { status } = useAuth()
  if (status !== 'signed-in') return <PublicLayout />
  return (
    <Suspense fallback={<FullScreenSpinner />}>
      <MemberLayout />
    </Suspense>
  )
}
