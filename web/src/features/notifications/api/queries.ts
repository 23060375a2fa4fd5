/** The unseen notifications of the bell, and the full list (§7.15, §9.1-2). */
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import {
  isAlerting,
  isShown,
  type PreferenceKey,
  type NotificationSettings,
  parseNotificationSettings,
  typeFilter,
} from '@/api/notifications/settings'
import { profileQuery } from '@/api/profiles/queries'
import { limits } from '@/config/limits'
import { gates, pagePatienceMs } from '@/lib/live-lists/live-gate'
import { type Cursor, nextCursor, olderThan, outlineOf, ownCursor, type Page, pageOf } from '@/lib/live-lists/keyset'
import { supabase } from '@/lib/supabase/client'
import { notificationKeys } from './keys'

const columns = 'id, type, title, content, reference_id, metadata, created_at, seen'

export type AppNotification = {
  id: string
  type: string
  title: string
  content: string | null
  reference_id: string | null
  metadata: unknown
  created_at: string
  seen: boolean
}

export type BellItem = Omit<AppNotification, 'seen'>

/** Kinds the member turned off are excluded from the request. */
const chosen = (
  settings: NotificationSettings,
  passes: (settings: NotificationSettings, key: PreferenceKey) => boolean,
) => typeFilter((key) => passes(settings, key))

export const unreadQuery = (memberId: string) =>
  queryOptions({
    queryKey: notificationKeys.unread(memberId),
    queryFn: async ({ signal, client }) => {
      await gates.passed('notifications', signal)
      signal.throwIfAborted()
      const profile = await client.ensureQueryData(profileQuery(memberId))
      const types = chosen(parseNotificationSettings(profile?.notification_settings), isAlerting)
      let rows = supabase
        .from('notifications')
        .select(columns, { count: 'exact' })
        .eq('user_id', memberId)
        .eq('seen', false)
      if ('except' in types) rows = rows.not('type', 'in', `(${types.except.join(',')})`)
      if ('only' in types) {
        if (types.only.length === 0) return { items: [], count: 0 }
        rows = rows.in('type', types.only)
      }
      const { data, count } = await rows
        .order('created_at', { ascending: false })
        .limit(limits.bellItems)
        .abortSignal(signal)
        .throwOnError()
      return { items: data, count: count ?? data.length }
    },
  })

/** The listed notifications, newest first; null when every kind is turned off. */
async function listed<const Columns extends string>(client: QueryClient, memberId: string, columns: Columns) {
  const profile = await client.ensureQueryData(profileQuery(memberId))
  const types = chosen(parseNotificationSettings(profile?.notification_settings), isShown)
  let rows = supabase.from('notifications').select(columns).eq('user_id', memberId)
  if ('except' in types) rows = rows.not('type', 'in', `(${types.except.join(',')})`)
  if ('only' in types) {
    if (types.only.length === 0) return null
    rows = rows.in('type', types.only)
  }
  // Wrapped in an object: awaiting a query builder would send its request.
  return { rows: rows.order('created_at', { ascending: false }).order('id', { ascending: false }) }
}

/** Pages of 20, newest first. */
export const notificationsQuery = (memberId: string) =>
  infiniteQueryOptions({
    queryKey: notificationKeys.list(memberId),
    initialPageParam: null as Cursor | null,
    queryFn: async ({ pageParam, signal, client }): Promise<Page<AppNotification>> => {
      const followed = await gates.passed('notifications', signal, pagePatienceMs)
      signal.throwIfAborted()
      const found = await listed(client, memberId, columns)
      if (!found) return pageOf([], limits.notificationsPage)
      const rows = pageParam ? found.rows.or(olderThan(pageParam)) : found.rows
      const { data } = await rows.limit(limits.notificationsPage).abortSignal(signal).throwOnError()
      return pageOf(data, limits.notificationsPage, followed)
    },
    getNextPageParam: (_page, pages) => nextCursor(pages, ownCursor),
    meta: {
      outline: outlineOf(
        ({ id, seen }: Pick<AppNotification, 'id' | 'seen'>) => `${id} ${seen}`,
        async (count, client) => {
          const found = await listed(client, memberId, 'id, seen')
          if (!found) return []
          const { data } = await found.rows.limit(count).throwOnError()
          return data.map(({ id, seen }) => `${id} ${seen}`)
        },
      ),
    },
  })
