/** One number to be proud of: how many will use the member's lesson (§16.4), else how many found their post useful. */
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { useMemberId } from '@/api/session/auth-context'
import { Card } from '@/components/ui/card'
import { paths } from '@/config/paths'
import { truncate } from '@/lib/format/truncate'
import { copy } from '../copy'
import { mostUsedQuery, mostUsefulQuery } from '../queries'

const strings = copy.mostUseful
const titleChars = 60

/** Renders nothing without one. */
export function MostUseful() {
  const memberId = useMemberId()
  const used = useQuery(mostUsedQuery(memberId)).data
  const useful = useQuery({ ...mostUsefulQuery(memberId), enabled: used === null }).data
  const post = used ?? useful
  if (!post) return null
  const count = used ? used.use_count : useful?.reaction_count
  if (!count) return null
  return (
    <Card>
      <section aria-label={strings.title} className="grid grid-cols-1 gap-2 p-5">
        <h2 className="type-mark text-muted">{strings.title}</h2>
        <p className="text-[1.875rem] type-figure">{count.toLocaleString('en-US')}</p>
        <p className="text-small [overflow-wrap:anywhere]">
          {used ? strings.used(count) : strings.found(count)}{' '}
          <Link to={paths.post(post.id)} className="link-inline">
            “{truncate(post.title || post.content, titleChars)}”
          </Link>
        </p>
      </section>
    </Card>
  )
}
