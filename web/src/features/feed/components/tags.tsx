/** The tags of a post; each opens its posts (§11.4). */
import { X } from 'lucide-react'
import { Link } from 'react-router-dom'
import { LinkButton } from '@/components/ui/button'
import { paths } from '@/config/paths'
import { copy } from '../copy'

export function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <ul aria-label={copy.tags.label} className="flex flex-wrap gap-x-3 gap-y-1">
      {tags.map((tag) => (
        <li key={tag} className="max-w-full">
          <Link
            to={paths.postsOf(tag)}
            className="block min-h-6 truncate text-small font-semibold text-ember-text hover:underline"
          >
            #{tag}
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** Above the posts of a tag. */
export function TagHead({ tag }: { tag: string }) {
  return (
    <header className="flex items-center justify-between gap-3">
      <h1 className="min-w-0 type-h1 [overflow-wrap:anywhere]">#{tag}</h1>
      <LinkButton to={paths.feed} variant="quiet" size="icon" aria-label={copy.tags.clear(tag)}>
        <X aria-hidden />
      </LinkButton>
    </header>
  )
}
