/** The member's post that most others found useful. Renders nothing without one. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { useMemberId } from '@/api/session/auth-context'
import { Card } from '@/components/ui/card'
import { paths } from '@/config/paths'
import { truncate } from '@/lib/format/truncate'
import { copy } from '../copy'
import { mostUsefulQuery } from '../queries'

const strings = copy.mostUseful
const titleChars = 60

export function MostUseful() {
  const post = useQuery(mostUsefulQuery(useMemberId())).data
  if (!post) return null
  return (
    <Card>
      <section aria-label={strings.title} className="grid grid-cols-1 gap-2 p-5">
        <h2 className="type-mark text-muted">{strings.title}</h2>
        <p className="text-[1.875rem] type-figure">{post.reaction_count.toLocaleString('en-US')}</p>
        <p className="text-small [overflow-wrap:anywhere]">
          {strings.found(post.reaction_count)}{' '}
          <Link to={paths.post(post.id)} className="link-inline">
            “{truncate(post.title || post.content, titleChars)}”
          </Link>
        </p>
      </section>
    </Card>
  )
}
