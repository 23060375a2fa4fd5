/** The member's own counts, each with the page it links to. */
import { useQuery } from '@tanstack/react-query'
import { connectionCountQuery } from '@/api/connections/queries'
import { unreadCountQuery } from '@/api/messages/unread'
import { useMemberId } from '@/api/session/auth-context'
import { paths } from '@/config/paths'
import { copy } from './copy'

export function useFigures(unseen: number | undefined) {
  const memberId = useMemberId()
  const strings = copy.figures
  return [
    {
      label: strings.requests,
      to: `${paths.network}?tab=pending-requests`,
      value: useQuery(connectionCountQuery(memberId, 'pending-requests')).data,
      calls: true,
    },
    {
      label: strings.messages,
      to: paths.messages,
      value: useQuery(unreadCountQuery(memberId)).data,
      calls: true,
    },
    { label: strings.notifications, to: paths.notifications, value: unseen, calls: true },
    {
      label: strings.connections,
      to: paths.network,
      value: useQuery(connectionCountQuery(memberId, 'connections')).data,
      calls: false,
    },
  ]
}
