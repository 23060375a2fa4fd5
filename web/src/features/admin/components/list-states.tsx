/** The states before the data: loading, failed, empty. */
import { Inbox } from 'lucide-react'
import type { ReactNode } from 'react'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { Bone, Loading } from '@/components/ui/skeleton'
import { copy } from '../copy'

interface Props {
  query: { isPending: boolean; isError: boolean; refetch: () => unknown }
  isEmpty: boolean
  emptyTitle: string
  emptyText: string
  children: ReactNode
}

export function ListStates({ query, isEmpty, emptyTitle, emptyText, children }: Props) {
  if (query.isPending) {
    return (
      <Loading label={copy.loading} className="grid gap-3 p-4">
        {Array.from({ length: 6 }, (_, row) => (
          <Bone key={row} className="h-9" />
        ))}
      </Loading>
    )
  }
  if (query.isError) return <Failed title={copy.failed} onRetry={() => void query.refetch()} />
  if (isEmpty) {
    return (
      <EmptyState glyph={<Inbox />} title={emptyTitle}>
        {emptyText}
      </EmptyState>
    )
  }
  return children
}
