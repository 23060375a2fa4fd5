/** One page of the waitlist, with selection and row actions. */
import { Ellipsis, Hourglass, ListChecks, Send, Trash2, Undo2 } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/components/ui/menu'
import { type Column, Table } from '@/features/admin-shared/components/table'
import { adminCopy } from '@/features/admin-shared/copy'
import { formatDate } from '@/lib/format/dates'
import type { WaitlistEntry } from '../api/queries'
import { copy } from '../copy'
import type { WaitlistStatus } from '../model'
import { WaitlistStatusBadge } from './waitlist-status'

interface RowActs {
  onAnswers: (entry: WaitlistEntry) => void
  onInvite: (entries: WaitlistEntry[]) => void
  onStatus: (ids: string[], status: WaitlistStatus) => void
  onRemove: (entry: WaitlistEntry) => void
}

function RowMenu({ entry, onAnswers, onInvite, onStatus, onRemove }: RowActs & { entry: WaitlistEntry }) {
  const open = entry.status !== 'active'
  return (
    <div className="flex items-center justify-end gap-1">
      {open && (
        <Button size="sm" className="max-[1279px]:hidden" onClick={() => onInvite([entry])}>
          {entry.status === 'invited' ? copy.resend : copy.inviteOne}
          <span className="sr-only"> {entry.email}</span>
        </Button>
      )}
      <Menu>
        <MenuTrigger asChild>
          <Button variant="quiet" size="icon-sm" aria-label={copy.actions(entry.email)}>
            <Ellipsis aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => onAnswers(entry)}>
            <ListChecks aria-hidden /> {copy.answers}
          </MenuItem>
          {open && (
            <MenuItem onSelect={() => onInvite([entry])}>
              <Send aria-hidden /> {entry.status === 'invited' ? copy.again : copy.inviteOne}
            </MenuItem>
          )}
          {open && entry.status !== 'pending' && (
            <MenuItem onSelect={() => onStatus([entry.id], 'pending')}>
              <Hourglass aria-hidden /> {copy.markPending}
            </MenuItem>
          )}
          {open && entry.status !== 'waitlist' && (
            <MenuItem onSelect={() => onStatus([entry.id], 'waitlist')}>
              <Undo2 aria-hidden /> {copy.backToWaitlist}
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem destructive onSelect={() => onRemove(entry)}>
            <Trash2 aria-hidden /> {copy.remove}
          </MenuItem>
        </MenuContent>
      </Menu>
    </div>
  )
}

const typeOf = ({ firefighter_type: type }: WaitlistEntry) => adminCopy.types[type] ?? type
const yearsOf = ({ years_of_service: years }: WaitlistEntry) => copy.yearsOfService[years] ?? years

const lead: Column<WaitlistEntry> = {
  name: 'email',
  head: copy.email,
  className: 'max-w-0 md:w-[28%] md:min-w-56',
  cell: ({ email }) => (
    <span className="block truncate type-name" title={email}>
      {email}
    </span>
  ),
}

const columns: Column<WaitlistEntry>[] = [
  { name: 'type', head: copy.type, from: 'xl', cell: typeOf },
  {
    name: 'role',
    head: copy.role,
    className: 'max-w-48 truncate',
    cell: ({ current_rank: rank }) => <span title={rank || undefined}>{rank}</span>,
  },
  { name: 'years', head: copy.years, from: 'xl', className: 'whitespace-nowrap', cell: yearsOf },
  { name: 'status', head: copy.status, cell: ({ status }) => <WaitlistStatusBadge status={status} /> },
  {
    name: 'joined',
    head: copy.joined,
    sortable: true,
    largestFirst: true,
    className: 'whitespace-nowrap',
    cell: ({ created_at }) => formatDate(created_at),
  },
]

function Brief({ entry }: { entry: WaitlistEntry }) {
  const years = entry.years_of_service in copy.yearsOfService ? copy.yearsLong(yearsOf(entry)) : yearsOf(entry)
  const facts = [typeOf(entry), entry.current_rank, years].filter(Boolean)
  return (
    <>
      <p className="line-clamp-2 [overflow-wrap:anywhere] text-muted">{facts.join(' · ')}</p>
      <p className="mt-1.5 flex flex-wrap items-center gap-2 text-muted">
        <WaitlistStatusBadge status={entry.status} />
        {formatDate(entry.created_at)}
      </p>
    </>
  )
}

interface Props extends RowActs {
  entries: WaitlistEntry[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: Set<string>) => void
  oldestFirst: boolean
  onOrder: (oldestFirst: boolean) => void
}

export function WaitlistTable({ entries, chosen, onChoose, oldestFirst, onOrder, ...actions }: Props) {
  return (
    <Table
      label={copy.title}
      rows={entries}
      lead={lead}
      columns={columns}
      brief={(entry) => <Brief entry={entry} />}
      opening={{ label: ({ email }) => copy.open(email), onOpen: actions.onAnswers }}
      menu={(entry) => <RowMenu entry={entry} {...actions} />}
      sorting={{ by: 'joined', descending: !oldestFirst, onSort: (_, descending) => onOrder(!descending) }}
      choosing={{ chosen, onChoose, label: ({ email }) => copy.select(email) }}
    />
  )
}
