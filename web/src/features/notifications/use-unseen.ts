/** The number of unseen notifications, for pages that show it beside other counts. */
import { useQuery } from '@tanstack/react-query'
import { useMemberId } from '@/api/session/auth-context'
import { unreadQuery } from './api/queries'

export const useUnseenCount = () => useQuery(unreadQuery(useMemberId())).data?.count
