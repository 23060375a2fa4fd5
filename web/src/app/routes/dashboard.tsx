/** /dashboard : what to do next, certifications, and the member's own activity. */
import { useMemberId } from '@/api/session/auth-context'
import { Activity } from '@/features/dashboard/components/activity'
import { DoNext } from '@/features/dashboard/components/do-next'
import { MostUseful } from '@/features/dashboard/components/most-useful'
import { Timeline } from '@/features/dashboard/components/timeline'
import { copy } from '@/features/dashboard/copy'
import { FirstSteps } from '@/features/first-steps/components/first-steps'
import { PlanCard } from '@/features/growth/components/plan-card'
import { Training } from '@/features/feed/components/training'
import { NextTrainings } from '@/features/trainings/components/next-trainings'
import { Suggestions } from '@/features/network/components/suggestions'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  const memberId = useMemberId()
  return (
    <>
      <DocumentHead title={copy.title} />
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18.5rem]">
        <div className="grid min-w-0 grid-cols-1 gap-4">
          <div>
            <DoNext />
          </div>
          <FirstSteps />
          <PlanCard ownerId={memberId} />
          <Timeline />
          <Activity />
        </div>
        <aside aria-label={copy.aside} className="grid min-w-0 grid-cols-1 gap-4">
          <MostUseful />
          <NextTrainings />
          <Training />
          <Suggestions />
        </aside>
      </div>
    </>
  )
}
