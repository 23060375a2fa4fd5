/** The head of the dashboard and what to do next, at most four rows; the first one is the primary action. */
import { useQuery } from '@tanstack/react-query'
import { Check, type LucideIcon, Mail, Pencil, TriangleAlert, UserPlus, UserRound } from 'lucide-react'
import { missingParts } from '@/api/profiles/completeness'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Failed } from '@/components/ui/failed'
import { Loading, PersonSkeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { formatDate } from '@/lib/format/dates'
import { copy } from '../copy'
import type { Task } from '../model'
import { useTasks } from '../use-tasks'

const strings = copy.next

interface Row {
  icon: LucideIcon
  title: string
  text: string
  to: string
  action: string
}

function rowOf(task: Task, missing: string): Row {
  switch (task.kind) {
    case 'renew': {
      const day = formatDate(`${task.expiresOn}T12:00:00`)
      return {
        icon: TriangleAlert,
        title: strings.renew(task.name),
        text: strings.expires(day, task.days),
        to: `${paths.profile}?certification=${task.id}`,
        action: copy.expiring.update,
      }
    }
    case 'answer':
      return { icon: UserPlus, ...strings.requests(task.count), to: paths.requests }
    case 'read':
      return { icon: Mail, ...strings.unread(task.count), to: paths.messages }
    case 'connect':
      return { icon: UserPlus, ...strings.connect, to: paths.network }
    case 'complete':
      return { icon: UserRound, ...strings.profile, text: `${copy.profile.next} ${missing}.`, to: paths.profile }
    case 'share':
      return { icon: Pencil, ...strings.share, to: paths.feed }
  }
}

export function DoNext() {
  const me = useQuery(profileQuery(useMemberId())).data
  const { tasks, hasFirstSteps, failed, retry } = useTasks()
  const isNew = hasFirstSteps && tasks?.length === 0
  const first = me?.full_name?.trim().split(/\s+/u)[0]
  const missing = me ? missingParts(me).map((part) => copy.profile.parts[part]) : []
  return (
    <>
      <header className="mb-5">
        <h1 className="type-h1 [overflow-wrap:anywhere]">{first ? copy.hello(first) : copy.title}</h1>
        <p className="mt-1 min-h-6 text-muted">{tasks && (isNew ? copy.firstSteps : copy.lead(tasks.length))}</p>
      </header>
      {!isNew && (
        <Card>
          <section aria-label={strings.title}>
            <h2 className="px-4 pt-4 type-card md:px-5 md:pt-5">{strings.title}</h2>
            {failed ? (
              <Failed title={strings.failed} onRetry={retry} />
            ) : !tasks ? (
              <Loading label={strings.loading} className="grid gap-5 p-5">
                <PersonSkeleton lines={['w-2/5', 'w-3/5']} />
                <PersonSkeleton lines={['w-1/3', 'w-1/2']} />
              </Loading>
            ) : tasks.length === 0 ? (
              <p className="flex items-center gap-3 p-4 text-ui text-muted md:p-5">
                <Check aria-hidden className="size-5 text-success-text" /> {strings.done}
              </p>
            ) : (
              <ul className="mt-2 divide-y divide-line">
                {tasks.map((task, index) => {
                  const { icon: Icon, title, text, to, action } = rowOf(task, missing.join(', '))
                  return (
                    <li
                      key={task.kind === 'renew' ? task.id : task.kind}
                      className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4 md:px-5"
                    >
                      <span
                        aria-hidden
                        className={
                          task.kind === 'renew'
                            ? 'grid size-10 shrink-0 place-items-center rounded-control bg-ember-soft text-ember-text'
                            : 'grid size-10 shrink-0 place-items-center rounded-control bg-sunken text-muted'
                        }
                      >
                        <Icon className="size-5" />
                      </span>
                      <p className="min-w-0 grow basis-48">
                        <b className="block type-name [overflow-wrap:anywhere]">{title}</b>
                        <span className="block text-small [overflow-wrap:anywhere] text-muted">{text}</span>
                      </p>
                      <LinkButton
                        to={to}
                        size="sm"
                        variant={index === 0 ? 'primary' : 'line'}
                        className="max-sm:w-full"
                      >
                        {action}
                      </LinkButton>
                    </li>
                  )
                })}
              </ul>
            )}
          </section>
        </Card>
      )}
    </>
  )
}
