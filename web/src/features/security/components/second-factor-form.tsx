/** Asks for the second factor: a code of an app, a passkey, or a recovery code (§15.2). */
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { CodeField } from '@/components/ui/code-field'
import { FieldError, TextField } from '@/components/ui/field'
import { logError } from '@/lib/browser/log'
import { Canceled, givePasskey, giveRecoveryCode, verifyAnyApp } from '../api/mutations'
import { factorsQuery } from '../api/queries'
import { copy } from '../copy'
import { codeOf } from '../model'

const strings = copy.prompt

const isLimited = (cause: unknown) =>
  typeof cause === 'object' && cause !== null && 'status' in cause && cause.status === 429

const isWrong = (cause: unknown) =>
  typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'mfa_verification_failed'

function explain(cause: unknown): string {
  if (isLimited(cause)) return strings.tooMany
  if (isWrong(cause)) return strings.wrong
  logError('The second factor could not be verified', cause)
  return strings.failed
}

const clock = new Intl.DateTimeFormat('en-US', { hour: 'numeric', minute: '2-digit' })

function AppCode({ factorIds, onDone }: { factorIds: string[]; onDone: () => void }) {
  const [typed, setTyped] = useState('')
  const [missing, setMissing] = useState(false)
  const verify = useMutation({ mutationFn: (code: string) => verifyAnyApp(factorIds, code), onSuccess: onDone })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const code = codeOf(typed)
    setMissing(code === null)
    if (code !== null && !verify.isPending) verify.mutate(code)
  }
  const error = missing ? strings.codeMissing : verify.error && explain(verify.error)
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <CodeField
        label={strings.code}
        error={error}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="max-w-56"
      />
      <BusyButton
        type="submit"
        variant="primary"
        className="justify-self-start"
        busy={verify.isPending}
        busyLabel={copy.wait}
      >
        {strings.submit}
      </BusyButton>
    </form>
  )
}

function RecoveryCode({ onDone, onBack }: { onDone: () => void; onBack: () => void }) {
  const [typed, setTyped] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const give = useMutation({
    mutationFn: giveRecoveryCode,
    onSuccess: ({ accepted, tryAgainAt }) => {
      if (accepted) onDone()
      else setRefusal(tryAgainAt ? strings.recoveryLocked(clock.format(new Date(tryAgainAt))) : strings.recoveryWrong)
    },
    onError: (cause) => setRefusal(explain(cause)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (give.isPending) return
    setRefusal(typed.trim() === '' ? strings.recoveryMissing : null)
    if (typed.trim() !== '') give.mutate(typed)
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <TextField
        label={strings.recoveryLabel}
        hint={strings.recoveryHint}
        error={refusal}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        className="max-w-56 font-mono"
      />
      <div className="flex flex-wrap gap-3">
        <BusyButton type="submit" variant="primary" busy={give.isPending} busyLabel={copy.wait}>
          {strings.submit}
        </BusyButton>
        <Button variant="quiet" onClick={onBack}>
          {strings.back}
        </Button>
      </div>
    </form>
  )
}

interface Props {
  /** The verified factors of the member: which ways there are. */
  factors: readonly { id: string; factor_type: string }[]
  onDone: () => void
}

export function SecondFactorForm({ factors, onDone }: Props) {
  const [recovering, setRecovering] = useState(false)
  const apps = factors.filter(({ factor_type }) => factor_type === 'totp').map(({ id }) => id)
  const passkeys = factors.filter(({ factor_type }) => factor_type === 'webauthn').map(({ id }) => id)
  const known = useQuery({ ...factorsQuery, enabled: passkeys.length > 1 }).data?.passkeys
  const withPasskey = useMutation({ mutationFn: givePasskey, onSuccess: onDone })
  const nameOf = (id: string) => known?.find((passkey) => passkey.id === id)?.name
  if (recovering) return <RecoveryCode onDone={onDone} onBack={() => setRecovering(false)} />
  return (
    <div className="grid justify-items-start gap-4">
      {apps.length > 0 && <AppCode factorIds={apps} onDone={onDone} />}
      {withPasskey.error && !(withPasskey.error instanceof Canceled) && (
        <FieldError>{explain(withPasskey.error)}</FieldError>
      )}
      <div className="flex flex-wrap gap-3">
        {passkeys.map((id) => (
          <BusyButton
            key={id}
            variant={apps.length > 0 ? 'line' : 'primary'}
            busy={withPasskey.isPending}
            busyLabel={copy.wait}
            onClick={() => withPasskey.mutate(id)}
          >
            <KeyRound aria-hidden />
            {nameOf(id) ? strings.passkeyNamed(nameOf(id) ?? '') : strings.passkey}
          </BusyButton>
        ))}
        <Button variant="quiet" onClick={() => setRecovering(true)}>
          {strings.recovery}
        </Button>
      </div>
    </div>
  )
}
