/** The boxes of an article that is coming. */
import { Bone, Loading } from '@/components/ui/skeleton'

export function ArticleSkeleton() {
  return (
    <Loading label="Loading the article…" className="page py-12">
      <h1 className="sr-only">Article</h1>
      <div className="grid gap-10 lg:grid-cols-2">
        <div className="grid content-center gap-4">
          <Bone className="h-10 w-11/12" />
          <Bone className="h-10 w-3/5" />
          <Bone className="h-5 w-4/5" />
        </div>
        <Bone className="aspect-video w-full rounded-dialog" />
      </div>
      <div className="mt-12 grid max-w-[62ch] gap-3">
        {['w-full', 'w-11/12', 'w-full', 'w-4/5', 'w-2/3'].map((width, i) => (
          <Bone key={i} className={`h-4 ${width}`} />
        ))}
      </div>
    </Loading>
  )
}
