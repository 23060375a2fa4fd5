/** Settings, Security: passkeys (§15.1). */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { TextField } from '@/components/ui/field'
import { logError } from '@/lib/browser/log'
import { useNow } from '@/lib/browser/use-now'
import { formatAgo, formatDate } from '@/lib/format/dates'
import { showToast } from '@/lib/toasts/toast'
import { securityKeys } from '../api/keys'
import { Canceled, createPasskey, givePasskey, removePasskey, renamePasskey } from '../api/mutations'
import type { Passkey } from '../api/queries'
import { copy } from '../copy'
import { passkeySupport } from '../model'
import { SecuritySection, SecurityRow } from './security-section'

/** A form that was asked for has the focus. */
const focused = (field: HTMLInputElement | null) => field?.focus()

const strings = copy.passkey
const longestName = 120 // Auth's own limit

function Rename({ passkey, onDone }: { passkey: Passkey; onDone: () => void }) {
  const [name, setName] = useState(passkey.name)
  const [error, setError] = useState<string | null>(null)
  const save = useMutation({
    mutationFn: (chosen: string) => renamePasskey(passkey.id, chosen),
    onSuccess: onDone,
    onError: (cause) => {
      logError('The passkey could not be renamed', cause)
      setError(copy.prompt.failed)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const chosen = name.trim()
    setError(chosen === '' ? strings.nameMissing : chosen.length > longestName ? strings.nameLong : null)
    if (chosen !== '' && chosen.length <= longestName && !save.isPending) save.mutate(chosen)
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-3 pb-3">
      <TextField
        label={strings.naming}
        hint={strings.nameHint}
        error={error}
        value={name}
        ref={focused}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <BusyButton type="submit" variant="primary" size="sm" busy={save.isPending} busyLabel={copy.wait}>
          {strings.save}
        </BusyButton>
        <Button variant="quiet" size="sm" onClick={onDone}>
          {copy.cancel}
        </Button>
      </div>
    </form>
  )
}

/** What to say where no passkey can be made. */
function Impossible() {
  const support = passkeySupport(new URL(window.location.href), 'PublicKeyCredential' in window)
  if (support.kind === 'possible') return null
  return (
    <p className="text-small text-muted">
      {support.kind === 'unsupported' ? strings.unsupported : strings.impossible}{' '}
      {support.kind === 'address' && support.instead && (
        <a className="link-inline" href={support.instead}>
          {strings.open(new URL(support.instead).host)}
        </a>
      )}
    </p>
  )
}

interface Props {
  passkeys: readonly Passkey[]
  /** Whether another factor would be left. */
  hasOther: boolean
  locked: boolean
}

export function PasskeySection({ passkeys, hasOther, locked }: Props) {
  const queryClient = useQueryClient()
  const now = useNow()
  const heading = useRef<HTMLHeadingElement>(null)
  const [naming, setNaming] = useState<string | null>(null)
  const refresh = () => queryClient.invalidateQueries({ queryKey: securityKeys.all })
  const support = passkeySupport(new URL(window.location.href), 'PublicKeyCredential' in window)
  const isFirst = passkeys.length === 0 && !hasOther
  const add = useMutation({
    mutationFn: async () => {
      const id = await createPasskey()
      // From now on it is a second factor, which this session has to give once.
      if (isFirst) await givePasskey(id).catch(() => showToast({ title: strings.notConfirmed }))
      return id
    },
    onSuccess: (id) => {
      setNaming(id)
      return refresh()
    },
    onError: (cause) => {
      if (cause instanceof Canceled) return
      logError('The passkey could not be added', cause)
      showToast(strings.failed)
    },
  })
  const remove = useMutation({
    mutationFn: removePasskey,
    onSuccess: () => {
      heading.current?.focus()
      return refresh()
    },
    onError: (cause) => {
      logError('The passkey could not be removed', cause)
      showToast(copy.app.removeFailed)
    },
  })
  return (
    <SecuritySection
      heading={heading}
      title={strings.title}
      lead={strings.lead}
      action={
        <BusyButton
          size="sm"
          disabled={locked || support.kind !== 'possible'}
          busy={add.isPending}
          busyLabel={copy.wait}
          onClick={() => add.mutate()}
        >
          {strings.add}
        </BusyButton>
      }
    >
      <Impossible />
      {passkeys.length === 0 && <p className="text-ui text-muted">{strings.none}</p>}
      {passkeys.length > 0 && (
        <ul className="divide-y divide-line">
          {passkeys.map((passkey) => {
            const name = passkey.name || strings.unnamed
            const added = formatDate(passkey.addedAt)
            const note = passkey.usedAt ? strings.usedAgo(added, formatAgo(passkey.usedAt, now)) : strings.used(added)
            if (naming === passkey.id) {
              return (
                <li key={passkey.id} className="pt-3">
                  <Rename
                    passkey={passkey}
                    onDone={() => {
                      setNaming(null)
                      heading.current?.focus()
                      void refresh()
                    }}
                  />
                </li>
              )
            }
            return (
              <SecurityRow key={passkey.id} glyph={<KeyRound />} name={name} note={note}>
                <div className="flex flex-wrap justify-end gap-1">
                  <Button
                    size="sm"
                    variant="quiet"
                    aria-label={strings.renameOf(name)}
                    onClick={() => setNaming(passkey.id)}
                  >
                    {strings.rename}
                  </Button>
                  <Confirm
                    title={copy.app.removeTitle(name)}
                    description={passkeys.length > 1 || hasOther ? strings.removeText : copy.app.removeLast}
                    action={copy.app.remove}
                    onConfirm={() => remove.mutate(passkey.id)}
                  >
                    <Button size="sm" variant="quiet" disabled={locked} aria-label={copy.app.removeOf(name)}>
                      {copy.app.remove}
                    </Button>
                  </Confirm>
                </div>
              </SecurityRow>
            )
          })}
        </ul>
      )}
    </SecuritySection>
  )
}
