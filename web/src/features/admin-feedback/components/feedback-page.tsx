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
import { ListStates } from '@/features/admin-shared/components/list-states'
import { PageHeader } from '@/features/admin-shared/components/page-header'
import { Pager } from '@/features/admin-shared/components/pager'
import { type Column, Table } from '@/features/admin-shared/components/table'
import { adminCopy } from '@/features/admin-shared/copy'
import { pageOf } from '@/features/admin-shared/model'
import { useAdminAction } from '@/features/admin-shared/use-admin-action'
import { useListView } from '@/features/admin-shared/use-list-view'
import { formatDate } from '@/lib/format/dates'
import { feedbackKeys } from '../api/keys'
import { answerFeedback, setFeedbackStatus } from '../api/mutations'
import { type Feedback, feedbackQuery } from '../api/queries'
import { copy } from '../copy'
import { previewOf } from '../model'

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
  <Badge variant={tones[status] ?? 'general'}>{adminCopy.feedbackStatuses[status] ?? status}</Badge>
)
const categoryOf = ({ category }: Feedback) => copy.categories[category] ?? category

const sender = ({ name, email }: Feedback) => name ?? email ?? copy.visitor

function Reply({ feedback, email, onSent }: { feedback: Feedback; email: string; onSent: () => void }) {
  const [text, setText] = useState('')
  const sending = useAdminAction({
    mutationFn: async () => {
      await answerFeedback(email, copy.subject, text.trim())
      await setFeedbackStatus(feedback.id, 'resolved')
    },
    invalidates: feedbackKeys.all,
    done: () => copy.sent,
  })
  const letter = `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(copy.subject)}`
  if (!feedback.user_id) {
    return (
      <a className="link-inline" href={letter}>
        {copy.write}
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
      <Field label={copy.answerField}>
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
      >
        <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-line">
          {feedback.content}
        </p>
        {feedback.email && (
          <section aria-labelledby={heading} className="mt-6">
            <h3 id={heading} className="mb-2 type-card">
              {copy.reply}
            </h3>
            <Reply feedback={feedback} email={feedback.email} onSent={onClose} />
          </section>
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
      <MenuContent inPlace>
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
  const page = useQuery(feedbackQuery(view.status, view.category, view.page))
  const [shown, setShown] = useState<Feedback | null>(null)
  const rows = page.data?.rows ?? []
  const marking = useAdminAction({
    mutationFn: ({ id, status }: { id: string; status: string }) => setFeedbackStatus(id, status),
    invalidates: feedbackKeys.all,
    done: () => ({ title: adminCopy.saved }),
  })
  const lead: Column<Feedback> = {
    name: 'content',
    head: copy.title,
    className: '[overflow-wrap:anywhere]',
    cell: (row) => (
      <button
        type="button"
        dir="auto"
        aria-label={copy.read(previewOf(row.content))}
        className="block min-h-6 w-full text-start hover:underline md:max-w-[62ch]"
        onClick={() => setShown(row)}
      >
        {previewOf(row.content)}
      </button>
    ),
  }
  return (
    <>
      <PageHeader title={copy.title} />
      <div className="mb-4 flex flex-wrap gap-3">
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
          emptyTitle={copy.empty}
          emptyText={copy.emptyText}
          emptyAction={<Button onClick={() => change({ status: '', category: '' })}>{adminCopy.everything}</Button>}
        >
          <Table
            label={copy.title}
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
