/** The certification that a reminder leads to (§10.6): its form, at the date, and one more reminder in a week. */
import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { remindLater, useRemindLater } from '@/api/profiles/use-remind-later'
import { BusyButton } from '@/components/ui/button'
import { GuardedDialog } from '@/components/ui/guarded-dialog'
import type { ProfilePage } from '../api/queries'
import { copy } from '../copy'
import { EntryForm } from './entry-dialog'

const parameter = 'certification'

export function AskedCertification({ profile }: { profile: ProfilePage }) {
  const [params, setParams] = useSearchParams()
  const { key } = useLocation()
  const [closedAt, setClosedAt] = useState<string | null>(null)
  const closed = closedAt === key
  const close = () => setClosedAt(key)
  const { remindMe, isPending } = useRemindLater(close)
  // The address changes once the form is gone: until then it guards what is not saved.
  useEffect(() => {
    if (!closed) return
    setParams(
      (now) => {
        now.delete(parameter)
        return now
      },
      { replace: true },
    )
  }, [closed, setParams])
  const row = profile.certifications.find(({ id }) => id === params.get(parameter))
  if (!row) return null
  return (
    <GuardedDialog title={copy.change(row.name)} open={!closed} onOpenChange={close}>
      {(form) => (
        <>
          <EntryForm list="certifications" row={row} focus="expires_on" {...form} />
          {row.expires_on && (
            <BusyButton
              variant="quiet"
              className="mt-3 w-full"
              busy={isPending}
              busyLabel={remindLater.busy}
              onClick={() => remindMe(row.id)}
            >
              {remindLater.action}
            </BusyButton>
          )}
        </>
      )}
    </GuardedDialog>
  )
}
