/** The scheduled jobs of the database and how they last went (§10.4). */
import { useQuery } from '@tanstack/react-query'
import { Badge } from '@/components/ui/badge'
import { useNow } from '@/lib/browser/use-now'
import { formatAgo } from '@/lib/format/dates'
import { type Job, jobRunsQuery } from '../api/queries'
import { copy } from '../copy'
import { durationOf } from '../model'
import { scheduleInWords } from '../schedule'
import { Panel } from './panel'

const strings = copy.jobs

function State({ status }: { status: string | null }) {
  if (status === null) return <Badge>{strings.never}</Badge>
  if (status === 'succeeded') return <Badge variant="success">{strings.succeeded}</Badge>
  if (status === 'failed') return <Badge variant="destructive">{strings.failed}</Badge>
  return <Badge variant="warning">{strings.running}</Badge>
}

function Row({ job, now }: { job: Job; now: Date }) {
  const [last, ...earlier] = job.runs
  const failures = earlier.filter(({ status }) => status === 'failed').length
  return (
    <tr className="border-t border-line align-top">
      <th scope="row" className="py-3 pr-3 text-left font-semibold [overflow-wrap:anywhere]">
        {strings.names[job.name] ?? job.name}
        <span className="block font-normal text-muted">{scheduleInWords(job.schedule)}</span>
      </th>
      <td className="py-3 pr-3">
        <State status={last?.status ?? null} />
        {last?.status === 'failed' && last.message && (
          <span dir="auto" className="mt-1 line-clamp-3 block [overflow-wrap:anywhere] text-destructive-text">
            {last.message}
          </span>
        )}
        {failures > 0 && <span className="mt-1 block text-muted">{strings.failures(failures, earlier.length)}</span>}
      </td>
      <td className="py-3 text-right whitespace-nowrap text-muted">
        {last?.started_at ? formatAgo(last.started_at, now) : ''}
        {last?.started_at && last.ended_at && (
          <span className="block">{durationOf(last.started_at, last.ended_at)}</span>
        )}
      </td>
    </tr>
  )
}

export function Jobs({ className }: { className?: string }) {
  const jobs = useQuery(jobRunsQuery)
  const now = useNow()
  return (
    <Panel
      title={strings.title}
      {...(className ? { className } : {})}
      queries={[jobs]}
      empty={jobs.data?.length === 0 ? strings.none : null}
    >
      <table aria-label={strings.title} className="w-full border-collapse text-small">
        <thead className="sr-only">
          <tr>
            <th scope="col">{strings.job}</th>
            <th scope="col">{strings.state}</th>
            <th scope="col">{strings.last}</th>
          </tr>
        </thead>
        <tbody>
          {jobs.data?.map((job) => (
            <Row key={job.name} job={job} now={now} />
          ))}
        </tbody>
      </table>
    </Panel>
  )
}
