/** The states of a list without data: loading, failed, empty. */
import { Inbox } from 'lucide-react'
import { Fragment, type ReactNode } from 'react'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { Skeleton, Loading } from '@/components/ui/skeleton'
import { adminCopy } from '../copy'

interface Props {
  query: { isPending: boolean; isError: boolean; data: unknown; refetch: () => unknown }
  isEmpty: boolean
  emptyTitle: string
  emptyText: string
  /** The action of an empty list: go to another page, clear filters. */
  emptyAction?: ReactNode
  /** The data has cards of its own: these states need one. */
  inCard?: boolean
  children: ReactNode
}

export function ListStates({ query, isEmpty, emptyTitle, emptyText, emptyAction, inCard, children }: Props) {
  const Frame = inCard ? Card : Fragment
  if (query.isPending) {
    return (
      <Frame>
        <Loading label={adminCopy.loading} className="divide-y divide-line">
          {Array.from({ length: 8 }, (_, row) => (
            <div key={row} className="flex h-13 items-center gap-4 px-4">
              <Skeleton shape="control" className="size-8 shrink-0" />
              <Skeleton className="h-4 w-2/5" />
              <Skeleton className="ml-auto h-4 w-1/5" />
            </div>
          ))}
        </Loading>
      </Frame>
    )
  }
  // Data stays visible when a refetch fails: an admin may be reading or editing it.
  if (query.isError && query.data === undefined)
    return (
      <Frame>
        <Failed title={adminCopy.failed} onRetry={() => void query.refetch()} />
      </Frame>
    )
  if (isEmpty) {
    return (
      <Frame>
        <EmptyState glyph={<Inbox />} title={emptyTitle} action={emptyAction} heading="h2">
          {emptyText}
        </EmptyState>
      </Frame>
    )
  }
  return children
}
