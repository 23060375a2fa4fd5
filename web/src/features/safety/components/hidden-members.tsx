/** Settings, Safety: the members whom one blocks or mutes, and the way back (§13.3, §13.4). */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { nameOf } from '@/api/people/model'
import { BusyButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Failed } from '@/components/ui/failed'
import { PersonLine } from '@/components/ui/person-line'
import { Loading, PersonSkeleton } from '@/components/ui/skeleton'
import { logError } from '@/lib/browser/log'
import { formatDate } from '@/lib/format/dates'
import { showToast } from '@/lib/toasts/toast'
import { lift } from '../api/mutations'
import { hiddenMembersQuery } from '../api/queries'
import { copy } from '../copy'

const words = {
  blocks: {
    title: copy.settings.blocked,
    lead: copy.settings.blockedLead,
    empty: copy.settings.blockedEmpty,
    lift: copy.settings.unblock,
    liftOf: copy.settings.unblockOf,
  },
  mutes: {
    title: copy.settings.muted,
    lead: copy.settings.mutedLead,
    empty: copy.settings.mutedEmpty,
    lift: copy.settings.unmute,
    liftOf: copy.settings.unmuteOf,
  },
} as const

export function HiddenMembers({ which }: { which: 'blocks' | 'mutes' }) {
  const queryClient = useQueryClient()
  const members = useQuery(hiddenMembersQuery(which))
  const heading = useRef<HTMLHeadingElement>(null)
  const lifting = useMutation({
    mutationFn: ({ id }: { id: string; name: string }) => lift(which, id),
    onSuccess: (_, { name }) => {
      showToast(copy.settings.lifted(name))
      heading.current?.focus() // the row's button goes with the row
      return queryClient.invalidateQueries()
    },
    onError: (cause) => {
      logError('The member was not lifted from the list', cause)
      showToast(copy.settings.notLifted)
    },
  })
  return (
    <Card>
      <section aria-label={words[which].title} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        <div>
          <h2 ref={heading} tabIndex={-1} className="type-card outline-none">
            {words[which].title}
          </h2>
          <p className="mt-1 text-small text-muted">{words[which].lead}</p>
        </div>
        {members.isPending && (
          <Loading label={copy.settings.loading}>
            <PersonSkeleton lines={['w-2/5', 'w-1/4']} />
          </Loading>
        )}
        {members.isError && <Failed title={copy.settings.failed} onRetry={() => void members.refetch()} />}
        {members.data?.length === 0 && <p className="text-ui text-muted">{words[which].empty}</p>}
        {members.data && members.data.length > 0 && (
          <ul className="divide-y divide-line">
            {members.data.map((member) => {
              const name = nameOf(member, copy.settings.nobody)
              const busy = lifting.isPending && lifting.variables.id === member.id
              return (
                <li key={member.id} className="flex items-center justify-between gap-3 py-3">
                  <PersonLine
                    memberId={member.id}
                    name={name}
                    avatarUrl={member.avatar_url}
                    unit={[member.department, copy.settings.since(formatDate(member.since))]
                      .filter(Boolean)
                      .join(' · ')}
                  />
                  <BusyButton
                    size="sm"
                    busy={busy}
                    busyLabel={words[which].lift}
                    aria-label={words[which].liftOf(name)}
                    onClick={() => lifting.mutate({ id: member.id, name })}
                  >
                    {words[which].lift}
                  </BusyButton>
                </li>
              )
            })}
          </ul>
        )}
      </section>
    </Card>
  )
}
