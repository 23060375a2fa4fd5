/** Settings, Security: where the member is signed in, and the end of it (§15.1). */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Laptop, Smartphone } from 'lucide-react'
import { useRef } from 'react'
import { Badge } from '@/components/ui/badge'
import { BusyButton, Button } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { Failed } from '@/components/ui/failed'
import { Loading, PersonSkeleton } from '@/components/ui/skeleton'
import { logError } from '@/lib/browser/log'
import { useNow } from '@/lib/browser/use-now'
import { formatAgo } from '@/lib/format/dates'
import { showToast } from '@/lib/toasts/toast'
import { securityKeys } from '../api/keys'
import { endOtherSessions, endSession } from '../api/mutations'
import { sessionsQuery } from '../api/queries'
import { copy } from '../copy'
import { SecuritySection, SecurityRow } from './security-section'

const strings = copy.sessions
const isPhone = (device: string) => /iPhone|iPad|Android/.test(device)

export function SessionsSection() {
  const queryClient = useQueryClient()
  const now = useNow()
  const heading = useRef<HTMLHeadingElement>(null)
  const sessions = useQuery(sessionsQuery)
  const ending = useMutation({
    mutationFn: ({ id }: { id: string; device: string }) => endSession(id),
    onSuccess: (_, { device }) => {
      showToast({ title: strings.ended(device) })
      heading.current?.focus() // the row's button goes with the row
      return queryClient.invalidateQueries({ queryKey: securityKeys.sessions })
    },
    onError: (cause) => {
      logError('The session could not be ended', cause)
      showToast(strings.failed)
    },
  })
  const endingOthers = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: () => {
      showToast({ title: strings.endedOthers })
      heading.current?.focus()
      return queryClient.invalidateQueries({ queryKey: securityKeys.sessions })
    },
    onError: (cause) => {
      logError('The other sessions could not be ended', cause)
      showToast(strings.failed)
    },
  })
  const rows = sessions.data ?? []
  return (
    <SecuritySection
      heading={heading}
      title={strings.title}
      lead={strings.lead}
      action={
        rows.length > 1 && (
          <Confirm
            title={strings.endOthersTitle}
            description={strings.endOthersText}
            action={strings.endOthers}
            onConfirm={() => endingOthers.mutate()}
          >
            <Button size="sm">{strings.endOthers}</Button>
          </Confirm>
        )
      }
    >
      {sessions.isPending && (
        <Loading label={copy.loading}>
          <PersonSkeleton lines={['w-2/5', 'w-1/4']} />
        </Loading>
      )}
      {sessions.isError && <Failed title={copy.failed} onRetry={() => void sessions.refetch()} />}
      <ul className="divide-y divide-line">
        {rows.map(({ id, device, network, last_used_at, is_current }) => (
          <SecurityRow
            key={id}
            glyph={isPhone(device) ? <Smartphone /> : <Laptop />}
            name={
              <>
                {device} {is_current && <Badge variant="success">{strings.current}</Badge>}
              </>
            }
            note={`${network} · ${is_current ? 'now' : formatAgo(last_used_at, now)}`}
          >
            {!is_current && (
              <BusyButton
                size="sm"
                variant="quiet"
                busy={ending.isPending && ending.variables.id === id}
                busyLabel={copy.wait}
                aria-label={strings.endOf(device)}
                onClick={() => ending.mutate({ id, device })}
              >
                {strings.end}
              </BusyButton>
            )}
          </SecurityRow>
        ))}
      </ul>
    </SecuritySection>
  )
}
