/** /search : everything that is found, a tab a kind. */
import { useSearchParams } from 'react-router-dom'
import { DocumentHead } from '@/components/document-head'
import { SearchPage } from '@/features/search/components/search-page'
import { copy } from '@/features/search/copy'

export function Component() {
  const [params] = useSearchParams()
  const term = params.get('q')?.trim()
  return (
    <>
      <DocumentHead title={term ? copy.titleOf(term) : copy.title} />
      <SearchPage />
    </>
  )
}
