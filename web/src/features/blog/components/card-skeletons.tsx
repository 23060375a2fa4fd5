/** The boxes of articles that are coming, in the grid they will stand in. */
import clsx from 'clsx'
import { Bone } from '@/components/ui/skeleton'

export function CardSkeleton({ className, title = 'h-6' }: { className?: string; title?: string | undefined }) {
  return (
    <div data-slot="article-skeleton" className={clsx('grid content-start gap-3', className)}>
      <Bone className="aspect-video w-full rounded-card!" />
      <div className="grid gap-3">
        <Bone className="mt-1 h-5 w-3/5" />
        <Bone className={`w-11/12 ${title}`} />
        <Bone className="h-4 w-full" />
        <Bone className="h-4 w-4/5" />
        <Bone className="mt-1 h-6 w-2/5" />
      </div>
    </div>
  )
}
