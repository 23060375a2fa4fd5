/** Settings, Security: ten recovery codes, shown once (§15.1). */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { Failed } from '@/components/ui/failed'
import { logError } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { securityKeys } from '../api/keys'
import { makeRecoveryCodes } from '../api/mutations'
import { codesLeftQuery } from '../api/queries'
import { copy } from '../copy'
import { CopyButton } from './copy-button'
import { SecuritySection } from './security-section'

const strings = copy.codes

function Codes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const [saved, setSaved] = useState(false)
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-small font-semibold">{strings.shown}</p>
      <ul
        aria-label={strings.title}
        className="grid w-full grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-x-3 gap-y-1.5 rounded-control bg-sunken px-4 py-3 font-mono text-small font-semibold"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton text={codes.join('\n')} label={strings.copy} done={strings.copied} />
      <label className="flex min-h-7 items-center gap-2 text-small">
        <input
          type="checkbox"
          className="size-5 accent-ember"
          checked={saved}
          onChange={(event) => setSaved(event.target.checked)}
        />
        {strings.saved}
      </label>
      <Button variant="primary" size="sm" disabled={!saved} onClick={onDone}>
        {strings.done}
      </Button>
    </div>
  )
}

export function CodesSection({ hasFactor, locked }: { hasFactor: boolean; locked: boolean }) {
  const queryClient = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const left = useQuery({ ...codesLeftQuery, enabled: hasFactor })
  const make = useMutation({
    mutationFn: makeRecoveryCodes,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: securityKeys.codes }),
    onError: (cause) => {
      logError('No recovery codes were made', cause)
      showToast(strings.failed)
    },
  })
  const count = hasFactor ? (left.data ?? null) : null
  const button = (
    <BusyButton
      size="sm"
      disabled={locked || !hasFactor}
      busy={make.isPending}
      busyLabel={copy.wait}
      {...(count === null ? { onClick: () => make.mutate() } : {})}
    >
      {count === null ? strings.make : strings.renew}
    </BusyButton>
  )
  return (
    <SecuritySection
      heading={heading}
      title={strings.title}
      lead={strings.lead}
      action={
        make.data ? null : count === null ? (
          button
        ) : (
          <Confirm
            title={strings.renewTitle}
            description={strings.renewText}
            action={strings.renew}
            onConfirm={() => make.mutate()}
          >
            {button}
          </Confirm>
        )
      }
    >
      {make.data ? (
        <Codes
          codes={make.data}
          onDone={() => {
            make.reset()
            heading.current?.focus()
          }}
        />
      ) : left.isError ? (
        <Failed title={copy.failed} onRetry={() => void left.refetch()} />
      ) : (
        <p className="text-ui text-muted">
          {!hasFactor ? strings.first : count === null ? strings.none : strings.left(count)}
        </p>
      )}
    </SecuritySection>
  )
}
