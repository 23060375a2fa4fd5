/** /blog : every public article, newest first (§2.7). */
import { ArticleGrid } from '@/features/blog/components/article-grid'
import { copy } from '@/features/blog/copy'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title={copy.title} description={copy.lead} />
      <div className="page py-[clamp(2rem,5vw,4rem)]">
        <header className="mb-10">
          <h1 className="type-h1 text-[clamp(2rem,1.5rem+2.2vw,3rem)]">{copy.title}</h1>
          <p className="mt-3 max-w-[52ch] text-lead text-muted">{copy.lead}</p>
        </header>
        <ArticleGrid heading="h2" lead />
      </div>
    </>
  )
}
