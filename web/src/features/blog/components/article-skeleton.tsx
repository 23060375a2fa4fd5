/** The skeleton of an article: title, author, picture and text. */
import { Skeleton, Loading } from '@/components/ui/skeleton'

export function ArticleSkeleton() {
  return (
    <Loading label="Loading the article…" className="pb-[clamp(3rem,6vw,5rem)]">
      <h1 className="sr-only">Article</h1>
      <div className="page article-columns">
        <div className="article-column grid content-start gap-3">
          <Skeleton className="h-5 w-32" />
          <Skeleton className="h-9 w-11/12" />
          <Skeleton className="h-10 w-56" />
          <Skeleton className="h-5 w-4/5" />
          <Skeleton shape="card" className="mt-2 aspect-[21/9] w-full" />
          {['w-full', 'w-11/12', 'w-full', 'w-4/5', 'w-full', 'w-11/12', 'w-2/3'].map((width, i) => (
            <Skeleton key={i} className={`h-4 ${width}`} />
          ))}
        </div>
      </div>
    </Loading>
  )
}
