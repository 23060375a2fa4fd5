/** Upcoming training. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { Card } from '@/components/ui/card'
import { paths } from '@/config/paths'
import { trainingQuery } from '../api/queries'
import { copy } from '../copy'
import { DateTile } from './date-tile'

/** Renders nothing when nothing is planned. */
export function Training() {
  const coming = useQuery(trainingQuery()).data ?? []
  if (coming.length === 0) return null
  return (
    <Card>
      <section aria-label={copy.training.title} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        <h2 className="type-card">{copy.training.title}</h2>
        <ul className="divide-y divide-line">
          {coming.map(({ id, title, content, starts_at, location }) => (
            <li key={id} className="flex items-center gap-4 py-2.5">
              {starts_at && <DateTile value={starts_at} />}
              <span className="min-w-0">
                <Link
                  to={paths.post(id)}
                  className="line-clamp-2 min-h-6 text-ui type-name [overflow-wrap:anywhere] hover:underline"
                >
                  {title || content}
                </Link>
                {location && <span className="block truncate text-small text-muted">{location}</span>}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </Card>
  )
}
