/** Sessions, data export, and account deletion. */
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useAuth, useMemberId } from '@/api/session/auth-context'
import { BusyButton } from '@/components/ui/button'
import { logError } from '@/lib/browser/log'
import { messageForPeople } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { signOutEverywhere } from '../api/account'
import { collectOwnData } from '../api/own-data'
import { copy } from '../copy'
import { DeleteAccount } from './delete-account'
import { Section } from './section'

const strings = copy.account

function saveFile(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  window.setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

function Row({ hint, title, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 py-3">
      <div className="min-w-0 grow basis-64">
        <p className="text-ui font-semibold">{title}</p>
        <p className="text-small text-muted">{hint}</p>
      </div>
      {children}
    </div>
  )
}

export function AccountSection() {
  const memberId = useMemberId()
  const { signOut } = useAuth()
  const collect = useMutation({
    mutationFn: () => collectOwnData(memberId),
    onSuccess: (data) => saveFile(`muster-${data.exported_at.slice(0, 10)}.json`, JSON.stringify(data, null, 2)),
    onError: (cause) => {
      logError('The export failed', cause)
      showToast(strings.exportFailed)
    },
  })
  const everywhere = useMutation({
    mutationFn: signOutEverywhere,
    onSuccess: () => void signOut(),
    onError: (cause) => showToast({ ...strings.everywhereFailed, description: messageForPeople(cause, '') }),
  })
  return (
    <Section title={strings.title}>
      <div className="divide-y divide-line">
        <Row title={strings.export} hint={strings.exportHint}>
          <BusyButton busy={collect.isPending} busyLabel={strings.exporting} onClick={() => collect.mutate()}>
            {strings.export}
          </BusyButton>
        </Row>
        <Row title={strings.everywhere} hint={strings.everywhereHint}>
          <BusyButton busy={everywhere.isPending} busyLabel={strings.everywhere} onClick={() => everywhere.mutate()}>
            {strings.everywhere}
          </BusyButton>
        </Row>
        <Row title={strings.remove} hint={strings.removeHint}>
          <DeleteAccount />
        </Row>
      </div>
    </Section>
  )
}
