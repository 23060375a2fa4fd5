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
