/** The query keys of connections. */
import type { Tab } from './model'

export const connectionKeys = {
  all: ['connections'] as const,
  lists: (memberId: string) => [...connectionKeys.all, 'list', memberId] as const,
  list: (memberId: string, tab: Tab) => [...connectionKeys.lists(memberId), tab] as const,
  counts: (memberId: string) => [...connectionKeys.all, 'count', memberId] as const,
  count: (memberId: string, tab: Tab) => [...connectionKeys.counts(memberId), tab] as const,
  pairs: (memberId: string) => [...connectionKeys.all, 'pairs', memberId] as const,
  pairsWith: (memberId: string, others: readonly string[]) =>
    [...connectionKeys.pairs(memberId), [...others].sort()] as const,
  connectedWith: (memberId: string) => [...connectionKeys.all, 'connected', memberId] as const,
  connected: (memberId: string, otherId: string) => [...connectionKeys.connectedWith(memberId), otherId] as const,
}
