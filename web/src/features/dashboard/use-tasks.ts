/** What the member can do next; undefined while it loads. */
import { useQuery } from '@tanstack/react-query'
import { connectionCountQuery } from '@/api/connections/queries'
import { firstStepsQuery } from '@/api/first-steps/queries'
import { unreadCountQuery } from '@/api/messages/unread'
import { datedQuery, toRenew, validityOf } from '@/api/profiles/certifications'
import { missingParts } from '@/api/profiles/completeness'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { useNow } from '@/lib/browser/use-now'
import { type Task, tasksOf } from './model'
import { activityQuery } from './queries'

interface Tasks {
  tasks: Task[] | undefined
  /** The card of the first steps is shown beside them. */
  hasFirstSteps: boolean
  failed: boolean
  retry: () => void
}

export function useTasks(): Tasks {
  const memberId = useMemberId()
  const certifications = useQuery(datedQuery(memberId))
  const requests = useQuery(connectionCountQuery(memberId, 'pending-requests'))
  const connections = useQuery(connectionCountQuery(memberId, 'connections'))
  const unread = useQuery(unreadCountQuery(memberId))
  const profile = useQuery(profileQuery(memberId))
  const activity = useQuery(activityQuery(memberId))
  const steps = useQuery(firstStepsQuery(memberId))
  const today = useNow()
  const all = [certifications, requests, connections, unread, profile, activity, steps]
  const failed = all.some(({ isError, data }) => isError && data === undefined)
  const retry = () => all.filter(({ isError }) => isError).forEach(({ refetch }) => void refetch())
  const hasFirstSteps = steps.data ? !steps.data.isFinished && !steps.data.isHidden : false
  if (all.some(({ data }) => data === undefined)) return { tasks: undefined, hasFirstSteps, failed, retry }
  const renewals = toRenew(certifications.data ?? [], today).map(({ id, name, expires_on }) => {
    const validity = validityOf(expires_on, today)
    return { id, name, days: validity.kind === 'soon' ? validity.days : -1, expiresOn: expires_on ?? '' }
  })
  const tasks = tasksOf({
    renewals,
    requests: requests.data ?? 0,
    connections: connections.data ?? 0,
    unread: unread.data ?? 0,
    missing: profile.data ? missingParts(profile.data).length : 0,
    written: activity.data?.length ?? 0,
    hasFirstSteps,
  })
  return { tasks, hasFirstSteps, failed, retry }
}
