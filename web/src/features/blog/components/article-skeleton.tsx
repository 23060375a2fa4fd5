/** The boxes of an article that is coming: where its head, its author and its text will stand. */
import { Bone, Loading } from '@/components/ui/skeleton'
import { bodyGrid, headGrid } from './article-layout'

export function ArticleSkeleton() {
  return (
    <Loading label="Loading the article…" className="pb-[clamp(3rem,6vw,5rem)]">
      <h1 className="sr-only">Article</h1>
      {/* The head is dark in both themes, and so are its boxes. */}
      <div className="on-bar [--bone:var(--bar-hover)] [--border:var(--bar-line)]">
        <div className={headGrid}>
          <div className="grid gap-4">
            <Bone className="mb-4 h-5 w-24" />
            <Bone className="h-9 w-11/12" />
            <Bone className="h-9 w-3/5" />
            <Bone className="mt-1 h-5 w-4/5" />
          </div>
          <Bone className="aspect-video w-full rounded-dialog" />
        </div>
      </div>
      <div className={bodyGrid}>
        <div className="grid content-start gap-4">
          <Bone className="h-10 w-48" />
          <Bone className="h-6 w-40" />
          <Bone className="h-10 w-24" />
        </div>
        <div className="grid max-w-[62ch] content-start gap-3">
          {['w-full', 'w-11/12', 'w-full', 'w-4/5', 'w-full', 'w-11/12', 'w-2/3'].map((width, i) => (
            <Bone key={i} className={`h-4 ${width}`} />
          ))}
        </div>
      </div>
    </Loading>
  )
}
