/** Settings, Security: up to two authenticator apps (§15.1). */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Smartphone } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { CodeField } from '@/components/ui/code-field'
import { Confirm } from '@/components/ui/confirm'
import { TextField } from '@/components/ui/field'
import { logError } from '@/lib/browser/log'
import { formatDate } from '@/lib/format/dates'
import { showToast } from '@/lib/toasts/toast'
import { securityKeys } from '../api/keys'
import { type Enrollment, enrollApp, removeFactor, verifyApp } from '../api/mutations'
import type { App } from '../api/queries'
import { copy } from '../copy'
import { codeOf, grouped } from '../model'
import { CopyButton } from './copy-button'
import { SecuritySection, SecurityRow } from './security-section'

/** A form that was asked for has the focus. */
const focused = (field: HTMLInputElement | null) => field?.focus()

const strings = copy.app
const mostApps = 2

const codeOfFailure = (cause: unknown) =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined

function NameForm({
  suggested,
  onNamed,
  onCancel,
}: {
  suggested: string
  onNamed: (made: Enrollment) => void
  onCancel: () => void
}) {
  const [name, setName] = useState(suggested)
  const [error, setError] = useState<string | null>(null)
  const enroll = useMutation({
    mutationFn: enrollApp,
    onSuccess: onNamed,
    onError: (cause) => {
      logError('The app could not be enrolled', cause)
      setError(codeOfFailure(cause) === 'mfa_factor_name_conflict' ? strings.nameTaken : strings.failed.title)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (enroll.isPending) return
    setError(name.trim() === '' ? strings.nameMissing : null)
    if (name.trim() !== '') enroll.mutate(name.trim())
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <TextField
        label={strings.name}
        hint={strings.nameHint}
        error={error}
        value={name}
        maxLength={60}
        ref={focused}
        onChange={(event) => setName(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <BusyButton type="submit" variant="primary" busy={enroll.isPending} busyLabel={copy.wait}>
          {strings.start}
        </BusyButton>
        <Button variant="quiet" onClick={onCancel}>
          {copy.cancel}
        </Button>
      </div>
    </form>
  )
}

function Setup({ made, onDone, onCancel }: { made: Enrollment; onDone: () => void; onCancel: () => void }) {
  const [typed, setTyped] = useState('')
  const [error, setError] = useState<string | null>(null)
  const verify = useMutation({
    mutationFn: (code: string) => verifyApp(made.id, code),
    onSuccess: onDone,
    onError: (cause) => {
      const isWrong = codeOfFailure(cause) === 'mfa_verification_failed'
      if (!isWrong) logError('The app could not be verified', cause)
      setError(isWrong ? copy.prompt.wrong : copy.prompt.failed)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const code = codeOf(typed)
    setError(code === null ? copy.prompt.codeMissing : null)
    if (code !== null && !verify.isPending) verify.mutate(code)
  }
  return (
    <div className="grid gap-5 md:grid-cols-[auto_minmax(0,1fr)]">
      <img
        src={made.qrCode}
        alt={strings.qr}
        width={168}
        height={168}
        className="size-42 rounded-control bg-white p-1.5"
      />
      <form noValidate onSubmit={submit} className="grid content-start gap-3">
        <p className="text-ui">{strings.scan}</p>
        <div className="flex flex-wrap items-center gap-3">
          <code className="font-mono text-small font-semibold [overflow-wrap:anywhere]">{grouped(made.secret)}</code>
          <CopyButton text={made.secret} label={strings.copy} done={strings.copied} />
        </div>
        <p className="text-ui">{strings.enter}</p>
        <CodeField
          label={strings.code}
          error={error}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          ref={focused}
          className="max-w-56"
        />
        <div className="flex flex-wrap gap-3">
          <BusyButton type="submit" variant="primary" busy={verify.isPending} busyLabel={copy.wait}>
            {strings.turnOn}
          </BusyButton>
          <Button variant="quiet" onClick={onCancel}>
            {copy.cancel}
          </Button>
        </div>
      </form>
    </div>
  )
}

interface Props {
  apps: readonly App[]
  /** Whether another factor would be left. */
  hasOther: boolean
  locked: boolean
}

export function AuthenticatorSection({ apps, hasOther, locked }: Props) {
  const queryClient = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const [step, setStep] = useState<'closed' | 'name' | Enrollment>('closed')
  const close = () => {
    setStep('closed')
    heading.current?.focus()
  }
  const refresh = () => queryClient.invalidateQueries({ queryKey: securityKeys.all })
  const remove = useMutation({
    mutationFn: removeFactor,
    onSuccess: () => {
      heading.current?.focus()
      return refresh()
    },
    onError: (cause) => {
      logError('The app could not be removed', cause)
      showToast(strings.removeFailed)
    },
  })
  const canAdd = apps.length < mostApps && step === 'closed'
  return (
    <SecuritySection
      heading={heading}
      title={strings.title}
      lead={apps.length >= mostApps ? strings.enough : strings.lead}
      action={
        canAdd && (
          <Button size="sm" disabled={locked} onClick={() => setStep('name')}>
            {apps.length === 0 ? strings.add : strings.addSecond}
          </Button>
        )
      }
    >
      {apps.length > 0 && (
        <ul className="divide-y divide-line">
          {apps.map(({ id, name, addedAt }) => (
            <SecurityRow key={id} glyph={<Smartphone />} name={name} note={strings.added(formatDate(addedAt))}>
              <Confirm
                title={strings.removeTitle(name)}
                description={apps.length > 1 || hasOther ? strings.removeText : strings.removeLast}
                action={strings.remove}
                onConfirm={() => remove.mutate(id)}
              >
                <Button size="sm" variant="quiet" disabled={locked} aria-label={strings.removeOf(name)}>
                  {strings.remove}
                </Button>
              </Confirm>
            </SecurityRow>
          ))}
        </ul>
      )}
      {apps.length === 0 && step === 'closed' && <p className="text-ui text-muted">{strings.none}</p>}
      {step === 'name' && (
        <NameForm suggested={strings.defaultName(apps.length + 1)} onNamed={setStep} onCancel={close} />
      )}
      {typeof step === 'object' && (
        <Setup
          made={step}
          onDone={() => {
            close()
            void refresh()
          }}
          onCancel={close}
        />
      )}
    </SecuritySection>
  )
}
