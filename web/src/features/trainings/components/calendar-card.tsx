/** The address of one's own calendar: made, subscribed to, copied, reset, turned off (§12.3). */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarPlus, Copy } from 'lucide-react'
import { useId } from 'react'
import { useMemberId } from '@/api/session/auth-context'
import { trainingKeys } from '@/api/trainings/keys'
import { BusyButton, Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Confirm } from '@/components/ui/confirm'
import { Input } from '@/components/ui/field'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { readEnv } from '@/config/env'
import { logError } from '@/lib/browser/log'
import { copyText } from '@/lib/browser/share-link'
import { showToast } from '@/lib/toasts/toast'
import { makeCalendar, resetCalendar, revokeCalendar } from '../api/mutations'
import { calendarQuery } from '../api/queries'
import { calendarAddress, subscribeLink } from '../calendar-links'
import { copy } from '../copy'

const strings = copy.calendar

function useChange(run: (memberId: string) => Promise<void>, onDone?: () => void) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => run(memberId),
    onError: (cause) => {
      logError('The calendar address was not changed', cause)
      showToast(strings.failed)
    },
    onSuccess: onDone ?? (() => undefined),
    onSettled: () => queryClient.invalidateQueries({ queryKey: trainingKeys.calendar() }),
  })
}

function Address({ token }: { token: string }) {
  const id = useId()
  const reset = useChange(resetCalendar)
  const revoke = useChange(revokeCalendar, () => showToast(strings.revoked))
  const address = calendarAddress(readEnv().supabaseUrl, token)
  const copyAddress = async () => showToast((await copyText(address)) ? strings.copied : strings.copyFailed)
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {strings.address}
      </label>
      <Input
        id={id}
        readOnly
        value={address}
        onFocus={(event) => event.currentTarget.select()}
        className="text-small"
      />
      <div className="flex flex-wrap gap-2">
        <LinkButton to={subscribeLink(address)} size="sm" reloadDocument>
          <CalendarPlus aria-hidden /> {strings.subscribe}
        </LinkButton>
        <Button variant="quiet" size="sm" onClick={() => void copyAddress()}>
          <Copy aria-hidden /> {strings.copy}
        </Button>
      </div>
      <p className="text-small text-muted">{strings.alone}</p>
      <div className="-ml-3 flex flex-wrap">
        <Confirm
          title={strings.resetTitle}
          description={strings.resetText}
          action={strings.reset}
          safe={strings.keep}
          onConfirm={() => reset.mutate()}
        >
          <Button variant="quiet" size="sm">
            {strings.reset}
          </Button>
        </Confirm>
        <Confirm
          title={strings.revokeTitle}
          description={strings.revokeText}
          action={strings.revoke}
          safe={strings.keep}
          onConfirm={() => revoke.mutate()}
        >
          <Button variant="quiet" size="sm">
            {strings.revoke}
          </Button>
        </Confirm>
      </div>
    </>
  )
}

export function CalendarCard() {
  const calendar = useQuery(calendarQuery())
  const make = useChange(makeCalendar)
  return (
    <Card>
      <section aria-label={strings.title} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        <h2 className="type-card">{strings.title}</h2>
        <p className="text-small">{strings.text}</p>
        {calendar.isPending ? (
          <Loading label={strings.loading}>
            <Skeleton shape="control" className="h-10 w-full" />
          </Loading>
        ) : calendar.data === undefined ? (
          <p role="alert" className="text-small text-destructive-text">
            {strings.loadFailed}{' '}
            <button type="button" className="link" onClick={() => void calendar.refetch()}>
              {strings.again}
            </button>
          </p>
        ) : calendar.data === null ? (
          <BusyButton
            className="justify-self-start"
            busy={make.isPending}
            busyLabel={strings.making}
            onClick={() => make.mutate()}
          >
            {strings.make}
          </BusyButton>
        ) : (
          <Address token={calendar.data} />
        )}
      </section>
    </Card>
  )
}
