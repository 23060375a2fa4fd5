/** A decision about a member, its reason, and the appeal (§13.2). Opens without signing in: the suspended can't. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { FileQuestion } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { BusyButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { Field, FieldError, Textarea } from '@/components/ui/field'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { formatDate } from '@/lib/format/dates'
import { rejectionMessage } from '@/lib/supabase/errors'
import { appeal } from '../api/mutations'
import { decisionQuery } from '../api/queries'
import { copy } from '../copy'

function AppealForm({ code, onSent }: { code: string; onSent: () => void }) {
  const [words, setWords] = useState('')
  const sending = useMutation({ mutationFn: () => appeal(code, words.trim()), onSuccess: onSent })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (words.trim() && !sending.isPending) sending.mutate()
  }
  return (
    <form onSubmit={submit} className="grid gap-3">
      <h2 className="type-card">{copy.appeal.form}</h2>
      <p className="text-small text-muted">{copy.appeal.formLead}</p>
      <Field label={copy.appeal.field}>
        {(control) => (
          <Textarea {...control} value={words} maxLength={2000} onChange={(event) => setWords(event.target.value)} />
        )}
      </Field>
      {sending.isError && <FieldError>{rejectionMessage(sending.error, copy.appeal.sendFailed)}</FieldError>}
      <BusyButton
        type="submit"
        variant="primary"
        className="justify-self-end"
        busy={sending.isPending}
        busyLabel={copy.appeal.sending}
        disabled={!words.trim()}
      >
        {copy.appeal.send}
      </BusyButton>
    </form>
  )
}

export function AppealPage({ code }: { code: string }) {
  const query = useQuery(decisionQuery(code))
  const decision = query.data
  if (query.isPending) {
    return (
      <Loading label={copy.appeal.loading} className="grid gap-4">
        <Skeleton className="h-8 w-2/3" />
        <Skeleton shape="card" className="h-40 w-full" />
      </Loading>
    )
  }
  if (query.isError) return <Failed title={copy.appeal.failed} onRetry={() => void query.refetch()} />
  if (!decision) {
    return (
      <EmptyState glyph={<FileQuestion />} title={copy.appeal.missing} heading="h1">
        {copy.appeal.missingText}
      </EmptyState>
    )
  }
  const act = decision.act === 'suspend' || decision.act === 'warn' ? decision.act : 'remove'
  return (
    <div className="grid grid-cols-1 gap-4">
      <header>
        <h1 className="type-h1">{copy.appeal.acts[act](decision.subject_kind)}</h1>
        {decision.until && <p className="mt-1 text-muted">{copy.appeal.until(formatDate(decision.until))}</p>}
      </header>
      <Card className="grid grid-cols-1 gap-4 p-4 md:p-5">
        <div>
          <h2 className="type-card">{copy.appeal.reason}</h2>
          <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-line">
            {decision.reason}
          </p>
        </div>
        <div>
          <h2 className="type-card">{copy.appeal.words}</h2>
          <blockquote
            dir="auto"
            className="max-h-60 overflow-y-auto border-l-2 border-line pl-3 [overflow-wrap:anywhere] whitespace-pre-line text-muted"
          >
            {decision.excerpt}
          </blockquote>
        </div>
      </Card>
      <Card className="grid grid-cols-1 gap-3 p-4 md:p-5">
        {decision.appeal === null ? (
          <AppealForm code={code} onSent={() => void query.refetch()} />
        ) : (
          <>
            <h2 className="type-card">{copy.appeal.yours}</h2>
            <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-line">
              {decision.appeal}
            </p>
            <p role="status" className="font-semibold">
              {decision.appeal_result === null && copy.appeal.waiting}
              {decision.appeal_result === 'granted' && copy.appeal.granted}
              {decision.appeal_result === 'refused' && copy.appeal.refused}
            </p>
            {decision.appeal_answer && <p className="[overflow-wrap:anywhere]">{decision.appeal_answer}</p>}
          </>
        )}
      </Card>
    </div>
  )
}
