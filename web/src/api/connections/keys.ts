/** The only place that spells a key of who is tied to whom. */
import type { Tab } from './model'

export const networkKeys = {
  all: ['network'] as const,
  lists: (memberId: string) => [...networkKeys.all, 'list', memberId] as const,
  list: (memberId: string, tab: Tab) => [...networkKeys.lists(memberId), tab] as const,
  counts: (memberId: string) => [...networkKeys.all, 'count', memberId] as const,
  count: (memberId: string, tab: Tab) => [...networkKeys.counts(memberId), tab] as const,
  ties: (memberId: string) => [...networkKeys.all, 'ties', memberId] as const,
  tiesWith: (memberId: string, others: readonly string[]) =>
    [...networkKeys.ties(memberId), [...others].sort()] as const,
  connectedWith: (memberId: string) => [...networkKeys.all, 'connected', memberId] as const,
  connected: (memberId: string, otherId: string) => [...networkKeys.connectedWith(memberId), otherId] as const,
}
