/** /saved : the posts that the member saved. */
import { DocumentHead } from '@/components/document-head'
import { SavedPosts } from '@/features/feed/components/saved-posts'
import { copy } from '@/features/feed/copy'

export function Component() {
  return (
    <div className="mx-auto grid max-w-[40rem] grid-cols-1 gap-4">
      <DocumentHead title={copy.saved.title} />
      <h1 className="type-h1">{copy.saved.title}</h1>
      <SavedPosts />
    </div>
  )
}
