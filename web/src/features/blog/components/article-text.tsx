/** The text of an article: as the server wrote it, where it did, else rendered here by code that is loaded for it. */
import { lazy, Suspense, useLayoutEffect, useRef } from 'react'
import { Skeleton } from '@/components/ui/skeleton'
import { importHandled } from '@/lib/browser/handled-import'
import { servedText } from '../served'

const ArticleBody = lazy(() =>
  importHandled(() => import('./article-body')).then((module) => ({ default: module.ArticleBody })),
)

function ServedText({ nodes }: { nodes: Node[] }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => box.current?.replaceChildren(...nodes), [nodes])
  return <div ref={box} className="prose" />
}

const lines = (
  <div data-slot="loading" aria-busy="true" className="grid gap-3">
    {['w-full', 'w-11/12', 'w-full', 'w-4/5'].map((width, i) => (
      <Skeleton key={i} className={`h-4 ${width}`} />
    ))}
  </div>
)

export function ArticleText({ content }: { content: string }) {
  const nodes = servedText(content)
  return nodes ? (
    <ServedText nodes={nodes} />
  ) : (
    <Suspense fallback={lines}>
      <ArticleBody content={content} />
    </Suspense>
  )
}
