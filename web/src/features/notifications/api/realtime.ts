/** Live notifications and mentions of the member (§4.39-40, §7.50-51). A mention also raises a toast. */
import type { RealtimePostgresChangesPayload } from '@supabase/supabase-js'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { isAlerting, preferenceOf, type PreferenceKey, parseNotificationSettings } from '@/api/notifications/settings'
import { profileQuery } from '@/api/profiles/queries'
import { limits } from '@/config/limits'
import { useCoalesced } from '@/lib/live-lists/use-coalesced'
import { useLiveRows } from '@/lib/live-lists/use-live-rows'
import { changeRows, type Paged } from '@/lib/live-lists/keyset'
import { logError } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { notifyInOneTab } from '@/lib/toasts/one-tab'
import type { RetryPolicy } from '@/lib/supabase/keep-subscribed'
import { supabase } from '@/lib/supabase/client'
import { copy } from '../copy'
import { followRow, type RowChange, targetOf } from '../model'
import { notificationKeys } from './keys'
import type { AppNotification } from './queries'

/** §4.40, §9.9: 3 attempts, 2 s apart. */
export const mentionsPolicy: RetryPolicy = {
  delayMs: (attempt) => (attempt >= limits.mentionRetries ? null : limits.mentionRetryMs),
}

function follow(queryClient: QueryClient, memberId: string, change: RowChange<AppNotification>): void {
  queryClient.setQueryData<Paged<AppNotification>>(notificationKeys.list(memberId), (list) =>
    changeRows(list, (pages) => followRow(pages, change)),
  )
}

/** How old the settings may be when a notification arrives, ms: they may have been changed on another device. */
const settingsAgeMs = 5_000

/** Whether notifications of this kind raise a toast under the member's settings; as known, when they cannot be read. */
async function raisesToast(queryClient: QueryClient, memberId: string, key: PreferenceKey): Promise<boolean> {
  const query = profileQuery(memberId)
  const profile = await queryClient
    .fetchQuery({ ...query, staleTime: settingsAgeMs })
    .catch(() => queryClient.getQueryData(query.queryKey))
  return isAlerting(parseNotificationSettings(profile?.notification_settings), key)
}

/** §9.15: only admin notifications raise toasts; those members trigger have their own, or are only listed. */
function showAdminToast(notification: AppNotification, goTo: (path: string) => void): void {
  notifyInOneTab(`notification-${notification.id}`, () =>
    showToast({
      ...copy.fromAdmins(notification),
      id: `notification-${notification.id}`,
      action: { label: copy.see, run: () => goTo(targetOf(notification.metadata)) },
    }),
  )
}

export function useNotificationsLive(memberId: string, goTo: (path: string) => void): void {
  const queryClient = useQueryClient()
  const refetchUnread = useCallback(
    () => void queryClient.invalidateQueries({ queryKey: notificationKeys.unread(memberId) }),
    [memberId, queryClient],
  )
  const recount = useCoalesced(refetchUnread)
  const open = useCallback(() => {
    const onChange = (payload: RealtimePostgresChangesPayload<AppNotification>) => {
      if (payload.eventType === 'INSERT') {
        follow(queryClient, memberId, { kind: 'insert', row: payload.new })
        const { new: row } = payload
        const shows = preferenceOf(row.type) === 'system' && raisesToast(queryClient, memberId, 'system')
        if (shows) void shows.then((raises) => raises && showAdminToast(row, goTo))
      }
      if (payload.eventType === 'UPDATE') follow(queryClient, memberId, { kind: 'update', row: payload.new })
      if (payload.eventType === 'DELETE' && payload.old.id) {
        follow(queryClient, memberId, { kind: 'delete', id: payload.old.id })
      }
      recount()
    }
    const own = { event: '*', schema: 'public', table: 'notifications', filter: `user_id=eq.${memberId}` } as const
    return supabase.channel(`notifications:${memberId}`).on<AppNotification>('postgres_changes', own, onChange)
  }, [memberId, queryClient, goTo, recount])
  useLiveRows({ open, gate: 'notifications', queryKey: notificationKeys.all })
}

/** §7.28, §8.47: looks up the author and the place, then shows the toast; 'Someone' when they cannot be named. */
async function showMentionToast(mentionId: string, goTo: (postId: string) => void): Promise<void> {
  const { data, error } = await supabase
    .from('mentions')
    .select('comment_id, comment:comments(post_id), by:profiles!mentions_mentioned_by_id_fkey(id, full_name)')
    .eq('id', mentionId)
    .maybeSingle()
  if (error) logError('A mention could not be looked up', error.message)
  const postId = data?.comment?.post_id
  const by = data?.by
  const name = by?.full_name?.trim()
  showToast({
    ...copy.mentioned(name),
    ...(by && name && { person: { id: by.id, name } }),
    id: `mention-${mentionId}`,
    ...(postId ? { action: { label: copy.see, run: () => goTo(postId) } } : {}),
  })
}

/** A mention missed in a gap only loses its toast: its notification is refetched, so no query is refetched here. */
export function useMentionsLive(memberId: string, goTo: (postId: string) => void): void {
  const queryClient = useQueryClient()
  const open = useCallback(() => {
    const onInsert = ({ new: { id } }: { new: { id: string } }) => {
      void raisesToast(queryClient, memberId, 'mentions').then((raises) => {
        if (raises) notifyInOneTab(`mention-${id}`, () => void showMentionToast(id, goTo))
      })
    }
    const own = {
      event: 'INSERT',
      schema: 'public',
      table: 'mentions',
      filter: `mentioned_user_id=eq.${memberId}`,
    } as const
    return supabase.channel(`mentions:${memberId}`).on<{ id: string }>('postgres_changes', own, onInsert)
  }, [memberId, queryClient, goTo])
  useLiveRows({ open, policy: mentionsPolicy })
}
