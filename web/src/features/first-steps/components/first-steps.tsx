/** The card of the first steps, for who has not done all five and has not put it away. Its script loads when it is shown. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { firstStepsQuery } from '@/api/first-steps/queries'
import { useMemberId } from '@/api/session/auth-context'
import { importHandled } from '@/lib/browser/handled-import'

const StepsCard = lazy(() => importHandled(() => import('./steps-card')))

/** Nothing while it loads: most members have no such card. */
export function FirstSteps() {
  const { data: steps, isFetchedAfterMount } = useQuery(firstStepsQuery(useMemberId()))
  // "All set" is said once: it hides the list for good, and stays until the page is left.
  const [saysAllSet, setSaysAllSet] = useState(false)
  if (!steps || (steps.isHidden && !saysAllSet)) return null
  // A kept answer may be from before the list was hidden: it would say "All set" once more.
  if (steps.isFinished && !isFetchedAfterMount) return null
  return (
    <Suspense fallback={null}>
      <StepsCard steps={steps} onAllSet={() => setSaysAllSet(true)} />
    </Suspense>
  )
}
