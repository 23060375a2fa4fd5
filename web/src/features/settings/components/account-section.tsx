/** Sessions, data export, and account deletion. */
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useAuth, useMemberId } from '@/api/session/auth-context'
import { BusyButton } from '@/components/ui/button'
import { logError, messageOf } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { collectOwnData, signOutEverywhere } from '../api/account'
import { copy } from '../copy'
import { DeleteAccount } from './delete-account'
import { Section } from './section'

const words = copy.account

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
      showToast(words.exportFailed)
    },
  })
  const everywhere = useMutation({
    mutationFn: signOutEverywhere,
    onSuccess: () => void signOut(),
    onError: (cause) => showToast({ ...words.everywhereFailed, description: messageOf(cause, '') }),
  })
  return (
    <Section title={words.title}>
      <div className="divide-y divide-line">
        <Row title={words.export} hint={words.exportHint}>
          <BusyButton busy={collect.isPending} busyLabel={words.exporting} onClick={() => collect.mutate()}>
            {words.export}
          </BusyButton>
        </Row>
        <Row title={words.everywhere} hint={words.everywhereHint}>
          <BusyButton busy={everywhere.isPending} busyLabel={words.everywhere} onClick={() => everywhere.mutate()}>
            {words.everywhere}
          </BusyButton>
        </Row>
        <Row title={words.remove} hint={words.removeHint}>
          <DeleteAccount />
        </Row>
      </div>
    </Section>
  )
}
