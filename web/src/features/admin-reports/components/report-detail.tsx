/** One reported thing: its words, what reporters said, the member's history, the decision. */
import { Link } from 'react-router-dom'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { paths } from '@/config/paths'
import { formatDate } from '@/lib/format/dates'
import type { Reported } from '../api/queries'
import { copy } from '../copy'
import { historyOf, reasonsOf, titleOf, wordsOf } from '../model'
import { DecisionForm } from './decision-form'

function History({ reported }: { reported: Reported }) {
  const history = historyOf(reported.history)
  return (
    <section aria-label={copy.history} className="grid content-start gap-3 text-small">
      <h3 className="type-card">{copy.history}</h3>
      {reported.member_suspended && <Badge variant="ember">{copy.suspended}</Badge>}
      {history.length === 0 && <p className="text-muted">{copy.noHistory}</p>}
      <ul className="divide-y divide-line">
        {history.map((one) => (
          <li key={one.at} className="py-2">
            <b>{copy.acts[one.act] ?? one.act}</b> <span className="text-muted">{formatDate(one.at)}</span>
            {one.reason && <p className="[overflow-wrap:anywhere]">{one.reason}</p>}
          </li>
        ))}
      </ul>
      {reported.member_name && (
        <Link className="min-h-6 link-inline" to={`/admin/users?search=${encodeURIComponent(reported.member_name)}`}>
          {copy.openMember}
        </Link>
      )}
    </section>
  )
}

export function ReportDetail({ reported }: { reported: Reported }) {
  return (
    <Card className="grid grid-cols-1 gap-6 p-4 md:p-5 xl:grid-cols-[minmax(0,1fr)_13rem]">
      <div className="grid min-w-0 content-start gap-5">
        <header className="grid gap-2">
          <div className="flex flex-wrap gap-2">
            {reasonsOf(reported.reasons).map(([reason, times]) => (
              <Badge key={reason} variant="ember">
                {copy.reasons[reason] ?? reason}
                {times > 1 && ` × ${times}`}
              </Badge>
            ))}
          </div>
          <h2 className="type-h3 [overflow-wrap:anywhere]">{titleOf(reported)}</h2>
        </header>
        <blockquote
          dir="auto"
          className="max-h-80 overflow-y-auto rounded-control border border-line bg-sunken p-4 [overflow-wrap:anywhere] whitespace-pre-line"
        >
          {reported.excerpt}
        </blockquote>
        {!reported.still_there && <p className="text-small text-muted">{copy.gone}</p>}
        {reported.post_id && reported.still_there && (
          <Link className="min-h-6 justify-self-start link-inline" to={paths.post(reported.post_id)}>
            {copy.open}
          </Link>
        )}
        <section aria-label={copy.said}>
          <h3 className="mb-1 type-card">{copy.said}</h3>
          <ul className="divide-y divide-line">
            {wordsOf(reported.words).map((one) => (
              <li key={`${one.reporterId} ${one.at}`} className="grid gap-0.5 py-2 text-ui">
                <span className="flex justify-between gap-3 text-small text-muted">
                  <span className="min-w-0 truncate">{one.reporter || copy.member}</span>
                  <time dateTime={one.at} className="shrink-0">
                    {formatDate(one.at)}
                  </time>
                </span>
                <span dir="auto" className={one.note ? '[overflow-wrap:anywhere]' : 'text-muted'}>
                  {one.note || copy.noNote}
                </span>
              </li>
            ))}
          </ul>
        </section>
        <DecisionForm reported={reported} />
      </div>
      <History reported={reported} />
    </Card>
  )
}
