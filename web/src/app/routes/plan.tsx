/** /plan and /plan/{userId} : a growth plan. */
import { useParams } from 'react-router-dom'
import { useMemberId } from '@/api/session/auth-context'
import { PlanPage } from '@/features/growth/components/plan-page'
import { PlanMentoring } from '@/features/mentors/components/plan-mentoring'
import { NextTrainings } from '@/features/trainings/components/next-trainings'
import { isUuid } from '@/lib/format/uuid'
import { Component as NotFound } from './not-found'

export function Component() {
  const memberId = useMemberId()
  const { userId = memberId } = useParams()
  return isUuid(userId) ? (
    <PlanPage
      key={userId}
      ownerId={userId}
      aside={
        <>
          {userId === memberId && <NextTrainings />}
          <PlanMentoring ownerId={userId} />
        </>
      }
    />
  ) : (
    <NotFound />
  )
}
