/** /blog : every public article, newest first; of a topic (?topic=) or with words (?q=) (§2.7). */
import { useCallback } from 'react'
import { useSearchParams } from 'react-router-dom'
import { DocumentHead } from '@/components/document-head'
import { Found, Newest } from '@/features/blog/components/article-list'
import { ListFilters } from '@/features/blog/components/list-filters'
import { copy } from '@/features/blog/copy'
import { WaitlistBand } from '@/app/layouts/waitlist-band'

export function Component() {
  const [params, setParams] = useSearchParams()
  const term = params.get('q')?.trim() ?? ''
  const topic = term === '' ? params.get('topic') : null
  const search = useCallback(
    (words: string) => setParams(words === '' ? {} : { q: words }, { replace: true, preventScrollReset: true }),
    [setParams],
  )
  return (
    <>
      <DocumentHead title={copy.documentTitle} description={copy.lead} />
      <div className="page pt-[clamp(1.5rem,3vw,2.5rem)] pb-[clamp(2.5rem,5vw,4rem)]">
        <header className="mb-5">
          <p className="mb-2 type-mark text-muted">{copy.eyebrow}</p>
          <h1 className="type-h1 text-[clamp(2rem,1.5rem+2.2vw,3rem)]">{copy.title}</h1>
          <p className="mt-2 max-w-[52ch] text-lead text-muted">{copy.lead}</p>
        </header>
        <ListFilters topic={topic} term={term} onSearch={search} />
        {term === '' ? <Newest topic={topic} /> : <Found term={term} />}
      </div>
      <WaitlistBand name="blog" />
    </>
  )
}
