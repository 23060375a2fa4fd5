/** A card of the dashboard: title, legend, and loading, error and empty states. */
import clsx from 'clsx'
import { type ReactNode, useId } from 'react'
import { Card } from '@/components/ui/card'
import { Failed } from '@/components/ui/failed'
import { Skeleton, Loading } from '@/components/ui/skeleton'
import { adminCopy } from '@/features/admin-shared/copy'
import { Key } from './charts'

interface Props {
  title: string
  /** The names of the chart's lines, when there is more than one. */
  names?: string[]
  note?: string | undefined
  /** Beside the title. */
  action?: ReactNode
  /** The content reaches the edges of the card. */
  flush?: boolean
  className?: string
  /** The query it renders. */
  queries: { isPending: boolean; isError: boolean; data: unknown; refetch: () => unknown }[]
  /** Shown when there is no data. */
  empty: string | null
  children: ReactNode
}

function Inside({ flush, queries, empty, children }: Pick<Props, 'flush' | 'queries' | 'empty' | 'children'>) {
  const failed = queries.filter(({ isError, data }) => isError && data === undefined)
  if (failed.length > 0)
    return <Failed title={adminCopy.failed} onRetry={() => failed.forEach((one) => one.refetch())} />
  if (queries.some(({ isPending }) => isPending)) {
    return (
      <Loading label={adminCopy.loading} className={flush ? 'p-4 md:px-5' : ''}>
        <Skeleton shape="control" className="h-52" />
      </Loading>
    )
  }
  return empty ? <p className={clsx('py-6 text-small text-muted', flush && 'px-4 md:px-5')}>{empty}</p> : children
}

export function Panel({ title, names = [], note, action, flush = false, className, ...inside }: Props) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={clsx('min-w-0', className)}>
      <Card className={clsx('flex h-full flex-col overflow-hidden', !flush && 'p-4 md:p-5')}>
        <div
          className={clsx(
            'flex flex-wrap items-baseline justify-between gap-x-4 gap-y-2',
            flush ? 'p-4 pb-2 md:px-5' : 'mb-4',
          )}
        >
          <h2 id={id} className="type-card">
            {title}
          </h2>
          {names.length > 0 && <Key names={names} />}
          {note && <span className="text-small text-muted">{note}</span>}
          {action}
        </div>
        <Inside flush={flush} {...inside} />
      </Card>
    </section>
  )
}
