/** Feedback: read it, say how far it is, answer it (§9.16). */
import { useQuery } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useId, useState } from 'react'
import { Badge, type BadgeVariant } from '@/components/ui/badge'
import { BusyButton, Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { Field, Textarea } from '@/components/ui/field'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/components/ui/menu'
import { formatDate } from '@/lib/format/dates'
import { adminKeys } from '../api/keys'
import { answerFeedback, setFeedbackStatus } from '../api/mutations'
import { type Feedback, feedbackQuery } from '../api/queries'
import { copy } from '../copy'
import { pageOf, previewOf } from '../model'
import { useAct } from '../use-act'
import { useView } from '../use-view'
import { Choice } from './choice'
import { ListStates } from './list-states'
import { PageHead } from './page-head'
import { Pager } from './pager'
import { type Column, Table } from './table'

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
  page: pageOf(params.get('page')),
})

const statusOf = ({ status }: Feedback) => (
  <Badge variant={tones[status] ?? 'general'}>{words.statuses[status] ?? status}</Badge>
)
const categoryOf = ({ category }: Feedback) => words.categories[category] ?? category

const sender = ({ name, email }: Feedback) => name ?? email ?? words.visitor

function Reply({ feedback, email, onSent }: { feedback: Feedback; email: string; onSent: () => void }) {
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
        if (text.trim() && !sending.isPending) sending.mutate(undefined, { onSuccess: onSent })
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
      <DialogContent
        title={words.from(sender(feedback))}
        description={`${categoryOf(feedback)}, ${formatDate(feedback.created_at)}`}
        wide
      >
        <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-line">
          {feedback.content}
        </p>
        {feedback.email && (
          <section aria-labelledby={heading} className="mt-6">
            <h3 id={heading} className="mb-2 type-card">
              {words.reply}
            </h3>
            <Reply feedback={feedback} email={feedback.email} onSent={onClose} />
          </section>
        )}
      </DialogContent>
    </Dialog>
  )
}

const columns: Column<Feedback>[] = [
  { name: 'category', head: words.category, from: 'lg', className: 'max-w-40 truncate', cell: categoryOf },
  {
    name: 'sender',
    head: words.sender,
    className: 'max-w-44 truncate',
    cell: (row) => <span title={row.email ?? undefined}>{sender(row)}</span>,
  },
  { name: 'status', head: words.status, cell: statusOf },
  { name: 'date', head: words.date, className: 'whitespace-nowrap', cell: (row) => formatDate(row.created_at) },
]

interface RowMenuProps {
  row: Feedback
  onRead: () => void
  onStatus: (status: string) => void
}

function RowMenu({ row, onRead, onStatus }: RowMenuProps) {
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button variant="quiet" size="icon-sm" aria-label={words.actions(previewOf(row.content))}>
          <Ellipsis aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent inPlace>
        <MenuItem onSelect={onRead}>{words.open}</MenuItem>
        <MenuSeparator />
        {Object.entries(words.marks)
          .filter(([status]) => status !== row.status)
          .map(([status, label]) => (
            <MenuItem key={status} onSelect={() => onStatus(status)}>
              {label}
            </MenuItem>
          ))}
      </MenuContent>
    </Menu>
  )
}

const all = (label: string, names: Record<string, string>): [string, string][] => [
  ['', `${label}: ${copy.any}`],
  ...Object.entries(names),
]

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
  const lead: Column<Feedback> = {
    name: 'content',
    head: words.title,
    className: '[overflow-wrap:anywhere]',
    cell: (row) => (
      <button
        type="button"
        dir="auto"
        aria-label={words.read(previewOf(row.content))}
        className="block min-h-6 w-full text-start hover:underline md:max-w-[62ch]"
        onClick={() => setShown(row)}
      >
        {previewOf(row.content)}
      </button>
    ),
  }
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
        <ListStates
          query={page}
          isEmpty={rows.length === 0}
          emptyTitle={words.empty}
          emptyText={words.emptyText}
          emptyAction={<Button onClick={() => change({ status: '', category: '' })}>{copy.everything}</Button>}
        >
          <Table
            label={words.title}
            rows={rows}
            lead={lead}
            columns={columns}
            brief={(row) => (
              <div className="grid gap-1.5 text-muted">
                <p className="line-clamp-2 [overflow-wrap:anywhere]">
                  {categoryOf(row)} · {sender(row)} · {formatDate(row.created_at)}
                </p>
                <p>{statusOf(row)}</p>
              </div>
            )}
            menu={(row) => (
              <RowMenu
                row={row}
                onRead={() => setShown(row)}
                onStatus={(status) => marking.mutate({ id: row.id, status })}
              />
            )}
          />
        </ListStates>
        <Pager page={view.page} total={page.data?.total ?? 0} onPage={(next) => change({ page: String(next) })} />
      </Card>
      {shown && <Reader feedback={shown} onClose={() => setShown(null)} />}
    </>
  )
}
