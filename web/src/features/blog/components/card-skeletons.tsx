/** The skeletons of article cards, in the grid of the articles. */
import clsx from 'clsx'
import { Skeleton } from '@/components/ui/skeleton'

export function CardSkeleton({ className, title = 'h-6' }: { className?: string; title?: string | undefined }) {
  return (
    <div data-slot="article-skeleton" className={clsx('grid content-start gap-3', className)}>
      <Skeleton shape="card" className="aspect-video w-full" />
      <div className="grid gap-3">
        <Skeleton className="mt-1 h-5 w-3/5" />
        <Skeleton className={`w-11/12 ${title}`} />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-4/5" />
        <Skeleton className="mt-1 h-6 w-2/5" />
      </div>
    </div>
  )
}

export function RowSkeleton() {
  return (
    <div data-slot="article-skeleton" className="flex gap-4 border-b border-line py-5">
      <div className="grid grow content-start gap-2.5">
        <Skeleton className="h-4 w-24" />
        <Skeleton className="h-5 w-4/5" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-2/5" />
      </div>
      <Skeleton shape="control" className="aspect-video w-[clamp(5.5rem,24%,8rem)] shrink-0 self-start" />
    </div>
  )
}
