/** /network : connections, requests, and finding people (§2.36). */
import { NetworkTabs } from '@/features/network/components/network-tabs'
import { SearchBox } from '@/features/network/components/search-box'
import { SearchResults } from '@/features/network/components/search-results'
import { Suggestions } from '@/features/network/components/suggestions'
import { copy } from '@/features/network/copy'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title={copy.title} />
      <header className="mb-5 flex flex-wrap items-center justify-between gap-4">
        <h1 className="type-h1">{copy.title}</h1>
        <SearchBox />
      </header>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18.5rem]">
        <div className="grid min-w-0 grid-cols-1 gap-6">
          <SearchResults />
          <NetworkTabs />
        </div>
        <aside aria-label={copy.suggestions}>
          <Suggestions />
        </aside>
      </div>
    </>
  )
}
