/** What to do about a reported thing: one of five, with a reason. The button repeats the decision. */
import { type FormEvent, useState } from 'react'
import { BusyButton } from '@/components/ui/button'
import { Field, Input, Textarea } from '@/components/ui/field'
import { useAdminAction } from '@/features/admin-shared/use-admin-action'
import { useNow } from '@/lib/browser/use-now'
import { adminKeys } from '@/features/admin-shared/api/keys'
import { decide } from '../api/mutations'
import type { Reported } from '../api/queries'
import { copy } from '../copy'
import { type Choice, choices, type Decision, decisionOf, missingOf, noticeOf } from '../model'

export function DecisionForm({ reported }: { reported: Reported }) {
  const [choice, setChoice] = useState<Choice>('dismiss')
  const [reason, setReason] = useState('')
  const [days, setDays] = useState('7')
  const [incomplete, setIncomplete] = useState(false)
  const deciding = useAdminAction({
    mutationFn: (decision: Decision) => decide(reported.subject_kind, reported.subject_id, decision),
    invalidates: adminKeys.reports,
    done: (_, { act }) => (act === 'dismiss' ? copy.dismissed : copy.done),
    failed: copy.notDecided,
  })
  const now = useNow()
  const kind = (copy.kinds[reported.subject_kind] ?? reported.subject_kind).toLowerCase()
  const labelOf = (one: Choice) => (one === 'remove' ? copy.choices.remove(kind) : copy.choices[one])
  const decision = decisionOf(choice, reason, days)
  const missing = missingOf(choice, reason, days)
  const notice = decision && noticeOf(reported.subject_kind, decision, now.getTime())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIncomplete(!decision)
    if (decision && !deciding.isPending) deciding.mutate(decision)
  }
  return (
    <form onSubmit={submit} className="grid gap-4" noValidate>
      <fieldset>
        <legend className="mb-2 text-small font-semibold">{copy.decision}</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {choices.map((one) => (
            <label
              key={one}
              className="flex min-h-11 items-center gap-3 rounded-control border border-line-strong px-3 font-semibold has-checked:border-ember has-checked:bg-ember-soft"
            >
              <input
                type="radio"
                name={`decision-${reported.subject_id}`}
                checked={choice === one}
                onChange={() => setChoice(one)}
                className="size-5 accent-ember"
              />
              {labelOf(one)}
            </label>
          ))}
        </div>
      </fieldset>
      {choice === 'suspendFor' && (
        <Field label={copy.days} className="max-w-48" error={incomplete && missing.days ? copy.daysMissing : undefined}>
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              max={365}
              value={days}
              onChange={(event) => setDays(event.target.value)}
            />
          )}
        </Field>
      )}
      {choice !== 'dismiss' && (
        <Field label={copy.reason} error={incomplete && missing.reason ? copy.reasonMissing : undefined}>
          {(control) => (
            <Textarea {...control} value={reason} maxLength={800} onChange={(event) => setReason(event.target.value)} />
          )}
        </Field>
      )}
      {notice && (
        <figure className="border-l-4 border-line pl-3 text-small [overflow-wrap:anywhere]">
          <figcaption className="text-muted">{copy.seen}</figcaption>
          <p className="font-semibold">{notice.title}</p>
          <p dir="auto">{notice.text}</p>
        </figure>
      )}
      <p className="text-small text-muted">{choice === 'dismiss' ? copy.tellsReporters : copy.tells}</p>
      <BusyButton
        type="submit"
        variant={choice === 'dismiss' || choice === 'warn' ? 'primary' : 'danger'}
        className="justify-self-start"
        busy={deciding.isPending}
        busyLabel={copy.deciding}
      >
        {labelOf(choice)}
      </BusyButton>
    </form>
  )
}
