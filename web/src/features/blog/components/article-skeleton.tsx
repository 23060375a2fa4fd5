/** The skeleton of an article: header, author and text. */
import { Skeleton, Loading } from '@/components/ui/skeleton'
import { bodyGrid, headGrid } from './article-layout'

export function ArticleSkeleton() {
  return (
    <Loading label="Loading the article…" className="pb-[clamp(3rem,6vw,5rem)]">
      <h1 className="sr-only">Article</h1>
      {/* The header is dark in both themes, and so are its skeletons. */}
      <div className="on-bar [--border:var(--bar-line)] [--skeleton:var(--bar-hover)]">
        <div className={headGrid}>
          <div className="grid gap-4">
            <Skeleton className="mb-4 h-5 w-24" />
            <Skeleton className="h-9 w-11/12" />
            <Skeleton className="h-9 w-3/5" />
            <Skeleton className="mt-1 h-5 w-4/5" />
          </div>
          <Skeleton shape="dialog" className="aspect-video w-full" />
        </div>
      </div>
      <div className={bodyGrid}>
        <div className="grid content-start gap-4">
          <Skeleton className="h-10 w-48" />
          <Skeleton className="h-6 w-40" />
          <Skeleton className="h-10 w-24" />
        </div>
        <div className="grid max-w-[62ch] content-start gap-3">
          {['w-full', 'w-11/12', 'w-full', 'w-4/5', 'w-full', 'w-11/12', 'w-2/3'].map((width, i) => (
            <Skeleton key={i} className={`h-4 ${width}`} />
          ))}
        </div>
      </div>
    </Loading>
  )
}
