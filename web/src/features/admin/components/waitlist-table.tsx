/** One page of the waitlist: rows to choose and to act on. */
import { Ellipsis } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/components/ui/menu'
import { formatDate } from '@/lib/dates'
import type { WaitlistEntry } from '../api/queries'
import { copy } from '../copy'
import type { WaitlistStatus } from '../model'
import { Table, Td, Th } from './table'
import { WaitlistStatusBadge } from './waitlist-status'

const words = copy.waitlist
const box = 'size-4.5 accent-ember'

interface RowActs {
  onAnswers: (entry: WaitlistEntry) => void
  onInvite: (entries: WaitlistEntry[]) => void
  onStatus: (ids: string[], status: WaitlistStatus) => void
  onRemove: (entry: WaitlistEntry) => void
}

function RowMenu({ entry, onAnswers, onInvite, onStatus, onRemove }: RowActs & { entry: WaitlistEntry }) {
  const open = entry.status !== 'active'
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button variant="quiet" size="icon-sm" aria-label={words.actions(entry.email)}>
          <Ellipsis aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent>
        <MenuItem onSelect={() => onAnswers(entry)}>{words.answers}</MenuItem>
        {open && (
          <MenuItem onSelect={() => onInvite([entry])}>
            {entry.status === 'invited' ? words.again : words.inviteOne}
          </MenuItem>
        )}
        {open && entry.status !== 'pending' && (
          <MenuItem onSelect={() => onStatus([entry.id], 'pending')}>{words.markPending}</MenuItem>
        )}
        {open && entry.status !== 'waitlist' && (
          <MenuItem onSelect={() => onStatus([entry.id], 'waitlist')}>{words.backToWaitlist}</MenuItem>
        )}
        <MenuSeparator />
        <MenuItem onSelect={() => onRemove(entry)}>{words.remove}</MenuItem>
      </MenuContent>
    </Menu>
  )
}

interface Props extends RowActs {
  entries: WaitlistEntry[]
  chosen: ReadonlySet<string>
  onChoose: (chosen: Set<string>) => void
}

export function WaitlistTable({ entries, chosen, onChoose, ...acts }: Props) {
  const all = entries.every(({ id }) => chosen.has(id))
  const flip = (id: string) => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    onChoose(next)
  }
  return (
    <Table aria-label={words.title}>
      <thead>
        <tr>
          <Th className="w-12">
            <input
              type="checkbox"
              className={box}
              aria-label={words.selectAll}
              checked={all}
              onChange={() => onChoose(new Set(all ? [] : entries.map(({ id }) => id)))}
            />
          </Th>
          <Th>{words.email}</Th>
          <Th wide>{words.type}</Th>
          <Th wide>{words.role}</Th>
          <Th wide>{words.years}</Th>
          <Th wide>{words.status}</Th>
          <Th wide>{words.joined}</Th>
          <Th className="w-14">
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id} className={chosen.has(entry.id) ? 'bg-ember-soft' : undefined}>
            <Td>
              <input
                type="checkbox"
                className={box}
                aria-label={words.select(entry.email)}
                checked={chosen.has(entry.id)}
                onChange={() => flip(entry.id)}
              />
            </Td>
            <Td className="[overflow-wrap:anywhere]">
              <span className="type-name">{entry.email}</span>
              <span className="mt-1 flex flex-wrap items-center gap-2 md:hidden">
                <WaitlistStatusBadge status={entry.status} />
                {formatDate(entry.created_at)}
              </span>
            </Td>
            <Td wide>{copy.types[entry.firefighter_type] ?? entry.firefighter_type}</Td>
            <Td wide className="max-w-48 truncate">
              {entry.current_rank}
            </Td>
            <Td wide>{copy.years[entry.years_of_service] ?? entry.years_of_service}</Td>
            <Td wide>
              <WaitlistStatusBadge status={entry.status} />
            </Td>
            <Td wide className="whitespace-nowrap">
              {formatDate(entry.created_at)}
            </Td>
            <Td>
              <RowMenu entry={entry} {...acts} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
