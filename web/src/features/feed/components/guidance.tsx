/** One line on confidentiality before a first post, until it is read or the post is sent (§13.6). */
import { Link } from 'react-router-dom'
import { Button } from '@/components/ui/button'
import { paths } from '@/config/paths'
import { copy } from '../copy'

export function Guidance({ onSeen }: { onSeen: () => void }) {
  return (
    <p
      role="note"
      className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control bg-ember-soft px-3 py-2 text-small"
    >
      <span className="grow">
        {copy.guidance.text}{' '}
        <Link className="link-inline" to={paths.guidelines}>
          {copy.guidance.link}
        </Link>
      </span>
      <Button variant="quiet" size="sm" onClick={onSeen}>
        {copy.guidance.done}
      </Button>
    </p>
  )
}
