/** Feedback: read it, set its status, answer it (§9.16). */
import { useQuery } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useId, useState } from 'react'
import { Badge, type BadgeVariant } from '@/components/ui/badge'
import { BusyButton, Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { Field, Textarea } from '@/components/ui/field'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/components/ui/menu'
import { FilterSelect } from '@/features/admin-shared/components/filter-select'
import { GoneEntry } from '@/features/admin-shared/components/gone-entry'
import { ListStates } from '@/features/admin-shared/components/list-states'
import { PageHeader } from '@/features/admin-shared/components/page-header'
import { Pager } from '@/features/admin-shared/components/pager'
import { SearchBox } from '@/features/admin-shared/components/search-box'
import { type Column, Table } from '@/features/admin-shared/components/table'
import { adminCopy } from '@/features/admin-shared/copy'
import { pageOf } from '@/features/admin-shared/model'
import { useAdminAction } from '@/features/admin-shared/use-admin-action'
import { useListView } from '@/features/admin-shared/use-list-view'
import { useOpenEntry } from '@/features/admin-shared/use-open-entry'
import { formatDate } from '@/lib/format/dates'
import { feedbackKeys } from '../api/keys'
import { answerFeedback, setFeedbackStatus } from '../api/mutations'
import { answersQuery, type Feedback, feedbackQuery, fetchFeedback } from '../api/queries'
import { copy } from '../copy'
import { previewOf } from '../model'

const tones: Record<string, BadgeVariant> = {
  pending: 'ember',
  reviewed: 'info',
  resolved: 'success',
  dismissed: 'general',
}

const parse = (params: URLSearchParams) => ({
  search: params.get('search') ?? '',
  status: params.get('status') ?? '',
  category: params.get('category') ?? '',
  page: pageOf(params.get('page')),
})

const statusOf = ({ status }: Feedback) => (
  <Badge variant={tones[status] ?? 'general'}>{adminCopy.feedbackStatuses[status] ?? status}</Badge>
)
const categoryOf = ({ category }: Feedback) => copy.categories[category] ?? category

const sender = ({ name, email }: Feedback) => name ?? email ?? copy.visitor

/** What was answered before: another admin may have done it. */
function Answers({ id }: { id: string }) {
  const heading = useId()
  const answers = useQuery(answersQuery(id)).data ?? []
  if (answers.length === 0) return null
  return (
    <section aria-labelledby={heading} className="mt-6">
      <h3 id={heading} className="mb-2 type-card">
        {copy.answers}
      </h3>
      <ol className="grid gap-3">
        {answers.map(({ id: answerId, content, created_at, admin }) => (
          <li key={answerId} className="border-l-4 border-ember-line bg-sunken px-4 py-3">
            <p className="flex flex-wrap justify-between gap-x-4 text-small text-muted">
              <span>{admin?.full_name ?? admin?.email ?? copy.formerAdmin}</span>
              <time dateTime={created_at}>{formatDate(created_at)}</time>
            </p>
            <p dir="auto" className="mt-1 [overflow-wrap:anywhere] whitespace-pre-line">
              {content}
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
}

function Reply({ feedback, email, onSent }: { feedback: Feedback; email: string; onSent: () => void }) {
  const [text, setText] = useState('')
  const sending = useAdminAction({
    mutationFn: async () => {
      await answerFeedback({ id: feedback.id, email }, text.trim())
      await setFeedbackStatus(feedback.id, 'resolved')
    },
    invalidates: feedbackKeys.all,
    done: () => copy.sent(email),
    failed: copy.notSent,
  })
  return (
    <form
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        if (text.trim() && !sending.isPending) sending.mutate(undefined, { onSuccess: onSent })
      }}
    >
      <Field label={copy.answerField} hint={copy.answerHint(email)}>
        {(control) => (
          <Textarea {...control} value={text} maxLength={5000} onChange={(event) => setText(event.target.value)} />
        )}
      </Field>
      <BusyButton
        type="submit"
        variant="primary"
        className="justify-self-end"
        busy={sending.isPending}
        busyLabel={copy.sending}
        disabled={!text.trim()}
      >
        {copy.send}
      </BusyButton>
    </form>
  )
}

function Reader({ feedback, onClose }: { feedback: Feedback; onClose: () => void }) {
  const heading = useId()
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent
        title={copy.from(sender(feedback))}
        description={`${categoryOf(feedback)}, ${formatDate(feedback.created_at)}`}
        wide
        onOpenAutoFocus={(event) => {
          // It is read first: the dialog has the focus, not the answer's field below.
          event.preventDefault()
          if (event.target instanceof HTMLElement) event.target.focus()
        }}
      >
        <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-line">
          {feedback.content}
        </p>
        <Answers id={feedback.id} />
        {feedback.email ? (
          <section aria-labelledby={heading} className="mt-6">
            <h3 id={heading} className="mb-2 type-card">
              {copy.reply}
            </h3>
            <Reply feedback={feedback} email={feedback.email} onSent={onClose} />
          </section>
        ) : (
          <p className="mt-6 text-small text-muted">{copy.noAddress}</p>
        )}
      </DialogContent>
    </Dialog>
  )
}

const columns: Column<Feedback>[] = [
  { name: 'category', head: copy.category, from: 'xl', className: 'max-w-40 truncate', cell: categoryOf },
  {
    name: 'sender',
    head: copy.sender,
    className: 'max-w-44 truncate',
    cell: (row) => <span title={row.email ?? undefined}>{sender(row)}</span>,
  },
  { name: 'status', head: copy.status, cell: statusOf },
  { name: 'date', head: copy.date, className: 'whitespace-nowrap', cell: (row) => formatDate(row.created_at) },
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
        <Button variant="quiet" size="icon-sm" aria-label={copy.actions(previewOf(row.content))}>
          <Ellipsis aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent>
        <MenuItem onSelect={onRead}>{copy.open}</MenuItem>
        <MenuSeparator />
        {Object.entries(copy.marks)
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
  ['', `${label}: ${adminCopy.any}`],
  ...Object.entries(names),
]

export function FeedbackPage() {
  const { view, change } = useListView(parse)
  const page = useQuery(feedbackQuery(view))
  const rows = page.data?.rows ?? []
  const { entry, isGone, open } = useOpenEntry(rows, feedbackKeys.entry, fetchFeedback)
  const filtered = view.search || view.status || view.category || view.page > 1
  const marking = useAdminAction({
    mutationFn: ({ id, status }: { id: string; status: string }) => setFeedbackStatus(id, status),
    invalidates: feedbackKeys.all,
    done: () => ({ title: adminCopy.saved }),
    failed: adminCopy.statusFailed,
  })
  const lead: Column<Feedback> = {
    name: 'content',
    head: copy.title,
    className: '[overflow-wrap:anywhere]',
    cell: (row) => (
      <span dir="auto" className="block text-start md:max-w-[62ch]">
        {previewOf(row.content)}
      </span>
    ),
  }
  return (
    <>
      <PageHeader title={copy.title} />
      <div className="mb-4 flex flex-wrap gap-3">
        <SearchBox value={view.search} label={copy.search} onSearch={(search) => change({ search })} />
        <FilterSelect
          label={copy.status}
          value={view.status}
          options={all(copy.status, adminCopy.feedbackStatuses)}
          onChoose={(status) => change({ status })}
        />
        <FilterSelect
          label={copy.category}
          value={view.category}
          options={all(copy.category, copy.categories)}
          onChoose={(category) => change({ category })}
        />
      </div>
      <Card className="overflow-hidden">
        <ListStates
          query={page}
          isEmpty={rows.length === 0}
          emptyTitle={filtered ? copy.empty : copy.none}
          emptyText={filtered ? copy.emptyText : copy.noneText}
          emptyAction={
            filtered && (
              <Button onClick={() => change({ search: '', status: '', category: '' })}>{adminCopy.everything}</Button>
            )
          }
        >
          <Table
            label={copy.title}
            rows={rows}
            lead={lead}
            columns={columns}
            opening={{ label: (row) => copy.read(previewOf(row.content)), onOpen: ({ id }) => open(id) }}
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
                onRead={() => open(row.id)}
                onStatus={(status) => marking.mutate({ id: row.id, status })}
              />
            )}
          />
        </ListStates>
        <Pager page={view.page} total={page.data?.total ?? 0} onPage={(next) => change({ page: String(next) })} />
      </Card>
      {entry && <Reader feedback={entry} onClose={() => open(null)} />}
      {isGone && <GoneEntry onClose={() => open(null)} />}
    </>
  )
}
