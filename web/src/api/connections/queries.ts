/** The member's connections: lists by page, counts, and the connections with given people (§7.22-24). */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type Person, personColumns } from '@/api/people/model'
import { gates, pagePatienceMs } from '@/lib/live-lists/live-gate'
import { type Cursor, nextCursor, olderThan, outlineOf, type Page, pageOf } from '@/lib/live-lists/keyset'
import { supabase } from '@/lib/supabase/client'
import { connectionKeys } from './keys'
import {
  type ConnectionRow,
  type ListedConnection,
  otherOf,
  type Tab,
  connectionOf,
  connectionsByMember,
} from './model'

const pageSize = 24

const listedColumns =
  `id, user_id, connected_user_id, status, created_at, asker:profiles!connections_user_id_fkey(${personColumns}), asked:profiles!connections_connected_user_id_fkey(${personColumns})` as const

const eitherSide = (memberId: string) => `user_id.eq.${memberId},connected_user_id.eq.${memberId}`

interface ListedRow extends ConnectionRow {
  created_at: string
  asker: Person | null
  asked: Person | null
}

const listedConnectionOf = (row: ListedRow, memberId: string): ListedConnection => ({
  ...connectionOf(row, memberId),
  created_at: row.created_at,
  otherId: otherOf(row, memberId),
  profile: row.user_id === memberId ? row.asked : row.asker,
})

/** Those of the given connections that still exist, with the other member's profile. */
export async function connectionsById(memberId: string, ids: readonly string[]): Promise<ListedConnection[]> {
  const { data } = await supabase.from('connections').select(listedColumns).in('id', ids).throwOnError()
  return data.map((row) => listedConnectionOf(row, memberId))
}

/** The rows of a tab, newest first. */
function rowsOfTab<const Columns extends string>(memberId: string, tab: Tab, columns: Columns) {
  const rows = supabase
    .from('connections')
    .select(columns)
    .eq('status', tab === 'connections' ? 'accepted' : 'pending')
  const own =
    tab === 'connections'
      ? rows.or(eitherSide(memberId))
      : rows.eq(tab === 'requests-made' ? 'user_id' : 'connected_user_id', memberId)
  return own.order('created_at', { ascending: false }).order('id', { ascending: false })
}

export const connectionListQuery = (memberId: string, tab: Tab) =>
  infiniteQueryOptions({
    queryKey: connectionKeys.list(memberId, tab),
    initialPageParam: null as Cursor | null,
    queryFn: async ({ pageParam, signal }): Promise<Page<ListedConnection>> => {
      const followed = await gates.passed('connections', signal, pagePatienceMs)
      signal.throwIfAborted()
      let rows = rowsOfTab(memberId, tab, listedColumns)
      if (pageParam) rows = rows.or(olderThan(pageParam))
      const { data } = await rows.limit(pageSize).abortSignal(signal).throwOnError()
      return pageOf(
        data.map((row) => listedConnectionOf(row, memberId)),
        pageSize,
        followed,
      )
    },
    getNextPageParam: (_page, pages) =>
      nextCursor(pages, ({ created_at, connectionId }) => ({ created_at, id: connectionId })),
    meta: {
      // A tab has a single status, so membership in the list is all there is to compare.
      outline: outlineOf(
        ({ connectionId }: ListedConnection) => connectionId,
        async (count) => {
          const { data } = await rowsOfTab(memberId, tab, 'id').limit(count).throwOnError()
          return data.map(({ id }) => id)
        },
      ),
    },
  })

export const connectionCountQuery = (memberId: string, tab: Tab) =>
  queryOptions({
    queryKey: connectionKeys.count(memberId, tab),
    queryFn: async ({ signal }) => {
      await gates.passed('connections', signal)
      signal.throwIfAborted()
      const rows = supabase
        .from('connections')
        .select('id', { count: 'exact', head: true })
        .eq('status', tab === 'connections' ? 'accepted' : 'pending')
      const own =
        tab === 'connections'
          ? rows.or(eitherSide(memberId))
          : rows.eq(tab === 'requests-made' ? 'user_id' : 'connected_user_id', memberId)
      const { count } = await own.abortSignal(signal).throwOnError()
      return count ?? 0
    },
  })

/** The connections with the given people, by user id (§7.24). */
export const connectionsWithQuery = (memberId: string, others: readonly string[]) =>
  queryOptions({
    queryKey: connectionKeys.pairsWith(memberId, others),
    enabled: others.length > 0,
    queryFn: async ({ signal }) => {
      await gates.passed('connections', signal, pagePatienceMs)
      signal.throwIfAborted()
      const list = others.join(',')
      const { data } = await supabase
        .from('connections')
        .select('id, user_id, connected_user_id, status')
        .or(
          `and(user_id.eq.${memberId},connected_user_id.in.(${list})),and(connected_user_id.eq.${memberId},user_id.in.(${list}))`,
        )
        .abortSignal(signal)
        .throwOnError()
      return connectionsByMember(data, memberId)
    },
  })

/** §7.40: whether two members are connected. */
export const connectedQuery = (memberId: string, otherId: string) =>
  queryOptions({
    queryKey: connectionKeys.connected(memberId, otherId),
    queryFn: async ({ signal }) => {
      await gates.passed('connections', signal, pagePatienceMs)
      signal.throwIfAborted()
      const { data } = await supabase
        .rpc('are_users_connected', { user_id_1: memberId, user_id_2: otherId })
        .abortSignal(signal)
        .throwOnError()
      return data
    },
  })
