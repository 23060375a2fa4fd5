/** The states of a list without data: loading, failed, empty. */
import { Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
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
  children: ReactNode
}

export function ListStates({ query, isEmpty, emptyTitle, emptyText, emptyAction, children }: Props) {
  if (query.isPending) {
    return (
      <Loading label={adminCopy.loading} className="divide-y divide-line">
        {Array.from({ length: 8 }, (_, row) => (
          <div key={row} className="flex h-13 items-center gap-4 px-4">
            <Skeleton shape="control" className="size-8 shrink-0" />
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="ml-auto h-4 w-1/5" />
          </div>
        ))}
      </Loading>
    )
  }
  // Data stays visible when a refetch fails: an admin may be reading or editing it.
  if (query.isError && query.data === undefined)
    return <Failed title={adminCopy.failed} onRetry={() => void query.refetch()} />
  if (isEmpty) {
    return (
      <EmptyState glyph={<Inbox />} title={emptyTitle} action={emptyAction} heading="h2">
        {emptyText}
      </EmptyState>
    )
  }
  return children
}
