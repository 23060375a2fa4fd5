/** Feedback: read it, say how far it is, answer it (§9.16). */
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { Badge, type BadgeVariant } from '@/components/ui/badge'
import { BusyButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { Field, Textarea } from '@/components/ui/field'
import { formatDate } from '@/lib/dates'
import { adminKeys } from '../api/keys'
import { answerFeedback, setFeedbackStatus } from '../api/mutations'
import { type Feedback, feedbackQuery } from '../api/queries'
import { copy } from '../copy'
import { previewOf } from '../model'
import { useAct } from '../use-act'
import { useView } from '../use-view'
import { Choice } from './choice'
import { ListStates } from './list-states'
import { PageHead } from './page-head'
import { Pager } from './pager'

const words = copy.feedback
const tones: Record<string, BadgeVariant> = {
  pending: 'ember',
  reviewed: 'info',
  resolved: 'success',
  dismissed: 'general',
}

const parse = (params: URLSearchParams) => ({
  status: params.get('status') ?? '',
  category: params.get('category') ?? '',
  page: Math.max(1, Math.trunc(Number(params.get('page'))) || 1),
})

const sender = ({ name, email }: Feedback) => name ?? email ?? words.visitor

function Reply({ feedback, email }: { feedback: Feedback; email: string }) {
  const [text, setText] = useState('')
  const sending = useAct({
    act: async () => {
      await answerFeedback(email, words.subject, text.trim())
      await setFeedbackStatus(feedback.id, 'resolved')
    },
    touches: adminKeys.feedback,
    done: () => words.sent,
  })
  const letter = `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(words.subject)}`
  if (!feedback.user_id) {
    return (
      <a className="link-inline" href={letter}>
        {words.write}
      </a>
    )
  }
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() && !sending.isPending) sending.mutate(undefined, { onSuccess: () => setText('') })
      }}
    >
      <Field label={words.words}>
        {(tie) => <Textarea {...tie} value={text} maxLength={5000} onChange={(event) => setText(event.target.value)} />}
      </Field>
      <BusyButton
        type="submit"
        variant="primary"
        className="justify-self-end"
        busy={sending.isPending}
        busyLabel={words.sending}
        disabled={!text.trim()}
      >
        {words.send}
      </BusyButton>
    </form>
  )
}

function Reader({ feedback, onClose }: { feedback: Feedback; onClose: () => void }) {
  const heading = useId()
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={words.from(sender(feedback))} description={formatDate(feedback.created_at)} wide>
        <p className="[overflow-wrap:anywhere] whitespace-pre-line">{feedback.content}</p>
        {feedback.email && (
          <section aria-labelledby={heading} className="mt-6">
            <h3 id={heading} className="mb-2 type-card">
              {words.reply}
            </h3>
            <Reply feedback={feedback} email={feedback.email} />
          </section>
        )}
      </DialogContent>
    </Dialog>
  )
}

export function FeedbackPage() {
  const { view, change } = useView(parse)
  const page = useQuery(feedbackQuery(view.status, view.category, view.page))
  const [shown, setShown] = useState<Feedback | null>(null)
  const rows = page.data?.rows ?? []
  const marking = useAct({
    act: ({ id, status }: { id: string; status: string }) => setFeedbackStatus(id, status),
    touches: adminKeys.feedback,
    done: () => ({ title: copy.saved }),
  })
  const all = (label: string, names: Record<string, string>): [string, string][] => [
    ['', `${label}: ${copy.any}`],
    ...Object.entries(names),
  ]
  return (
    <>
      <PageHead title={words.title} />
      <div className="mb-4 flex flex-wrap gap-3">
        <Choice
          label={words.status}
          value={view.status}
          options={all(words.status, words.statuses)}
          onChoose={(status) => change({ status })}
        />
        <Choice
          label={words.category}
          value={view.category}
          options={all(words.category, words.categories)}
          onChoose={(category) => change({ category })}
        />
      </div>
      <Card className="overflow-hidden">
        <ListStates query={page} isEmpty={rows.length === 0} emptyTitle={words.empty} emptyText={words.emptyText}>
          <ul className="divide-y divide-line">
            {rows.map((row) => (
              <li key={row.id} className="flex flex-wrap items-start gap-x-4 gap-y-3 p-4">
                <div className="min-w-0 grow basis-72">
                  <p className="flex flex-wrap items-center gap-2 text-small text-muted">
                    <Badge variant={tones[row.status] ?? 'general'}>{words.statuses[row.status] ?? row.status}</Badge>
                    {words.categories[row.category] ?? row.category} · {sender(row)} · {formatDate(row.created_at)}
                  </p>
                  <button
                    type="button"
                    aria-label={words.read(previewOf(row.content))}
                    className="mt-1.5 block max-w-full text-left [overflow-wrap:anywhere] hover:underline"
                    onClick={() => setShown(row)}
                  >
                    {previewOf(row.content)}
                  </button>
                </div>
                <Choice
                  label={`${words.status}: ${previewOf(row.content)}`}
                  value={row.status}
                  options={Object.entries(words.statuses)}
                  onChoose={(status) => marking.mutate({ id: row.id, status })}
                />
              </li>
            ))}
          </ul>
        </ListStates>
        <Pager page={view.page} total={page.data?.total ?? 0} onPage={(next) => change({ page: String(next) })} />
      </Card>
      {shown && <Reader feedback={shown} onClose={() => setShown(null)} />}
    </>
  )
}
