/** The waitlist: find, look at the answers, invite, export. */
import { useQuery } from '@tanstack/react-query'
import { Download, Send } from 'lucide-react'
import { useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Confirm } from '@/components/ui/confirm'
import { Tab, TabList, TabPanel, Tabs } from '@/components/ui/tabs'
import { adminKeys } from '../api/keys'
import { invite, removeFromWaitlist, setWaitlistStatus } from '../api/mutations'
import { allWaitlist, type WaitlistEntry, waitlistCountsQuery, waitlistQuery } from '../api/queries'
import { copy } from '../copy'
import { parseQuizAnswers, parseWaitlistView, toCsv, type WaitlistStatus, waitlistStatuses } from '../model'
import { keepFocus } from '../keep-focus'
import { save } from '../save'
import { useAct } from '../use-act'
import { useView } from '../use-view'
import { Choice } from './choice'
import { ListStates } from './list-states'
import { PageHead } from './page-head'
import { Pager } from './pager'
import { QuizAnswers } from './quiz-answers'
import { SearchBox } from './search-box'
import { WaitlistTable } from './waitlist-table'

const words = copy.waitlist
const touches = adminKeys.waitlist

const csvHead = ['email', 'status', 'joined', 'type', 'role', 'years', 'platforms', 'frustrations', 'wishlist']
function csvRow(entry: WaitlistEntry): string[] {
  const answers = parseQuizAnswers(entry.linkedin_missing)
  return [
    entry.email,
    entry.status,
    entry.created_at,
    entry.firefighter_type_other || entry.firefighter_type,
    entry.current_rank,
    entry.years_of_service,
    [...answers.platforms, answers.platformOther].filter(Boolean).join('; '),
    answers.frustrations,
    answers.wishlist,
  ]
}

const options = (label: string, names: Record<string, string>) =>
  [['', `${label}: ${copy.any}`], ...Object.entries(names)] as [string, string][]

export function WaitlistPage() {
  const { view, change } = useView(parseWaitlistView)
  const page = useQuery(waitlistQuery(view))
  const counts = useQuery(waitlistCountsQuery).data
  const [chosen, setChosen] = useState<Set<string>>(new Set())
  const [shown, setShown] = useState<WaitlistEntry | null>(null)
  const [leaving, setLeaving] = useState<WaitlistEntry | null>(null)
  const entries = page.data ?? []
  const total = entries[0]?.total ?? 0
  const selected = entries.filter(({ id }) => chosen.has(id))
  const forget = () => {
    setChosen(new Set())
    keepFocus()
  }
  const filter = (changes: Record<string, string>) => {
    setChosen(new Set())
    change(changes)
  }

  const inviting = useAct({
    act: (asked: WaitlistEntry[]) => invite(asked.filter(({ status }) => status !== 'active')),
    touches,
    done: ({ mailed, reasons, passed }) => {
      const left = [
        passed > 0 && words.passed(passed),
        reasons.length > 0 && `${words.notMailed(reasons.length)}: ${reasons.slice(0, 3).join(' · ')}`,
      ].filter(Boolean)
      return { title: words.invited(mailed), ...(left.length > 0 ? { description: left.join('. ') } : {}) }
    },
  })
  const marking = useAct({
    act: ({ ids, status }: { ids: string[]; status: WaitlistStatus }) => setWaitlistStatus(ids, status),
    touches,
    done: () => ({ title: copy.saved }),
  })
  const removing = useAct({
    act: ({ id }: WaitlistEntry) => removeFromWaitlist(id),
    touches,
    done: () => ({ title: copy.saved }),
  })
  const exporting = useAct({
    act: async () => {
      const rows = await allWaitlist(view)
      save('waitlist.csv', 'text/csv;charset=utf-8', `\ufeff${toCsv(csvHead, rows.map(csvRow))}`)
      return rows.length
    },
    touches: adminKeys.totals,
    done: (count) => ({ title: words.exported(count) }),
  })
  const countOf = (status: string) =>
    counts && (status ? (counts.get(status) ?? 0) : [...counts.values()].reduce((sum, one) => sum + one, 0))

  return (
    <>
      <PageHead title={words.title}>
        <BusyButton busy={exporting.isPending} busyLabel={words.exporting} onClick={() => exporting.mutate(undefined)}>
          <Download aria-hidden /> {words.export}
        </BusyButton>
      </PageHead>
      <Tabs value={view.standing} onValueChange={(status) => filter({ status })}>
        <TabList aria-label={words.status}>
          {(['', ...waitlistStatuses] as const).map((status) => (
            <Tab key={status} value={status} count={countOf(status)}>
              {words.tabs[status]}
            </Tab>
          ))}
        </TabList>
        <TabPanel value={view.standing} tabIndex={-1}>
          <div className="mb-4 flex flex-wrap gap-3">
            <SearchBox value={view.search} label={words.search} onSearch={(search) => filter({ search })} />
            <Choice
              label={words.type}
              value={view.kind}
              options={options(words.type, copy.types)}
              onChoose={(type) => filter({ type })}
            />
            <Choice
              label={words.years}
              value={view.years}
              options={options(words.years, copy.years)}
              onChoose={(years) => filter({ years })}
            />
            {/* On a phone, where the columns have no heads. */}
            <Choice
              label={words.order}
              value={view.oldestFirst ? 'oldest' : ''}
              options={words.orders}
              className="md:hidden"
              onChoose={(order) => filter({ order })}
            />
          </div>
          <Card className="overflow-hidden">
            {selected.length > 0 && (
              <div className="flex flex-wrap items-center gap-3 border-b border-ember-line bg-ember-soft px-4 py-2">
                <p role="status" className="text-small font-semibold">
                  {words.selected(selected.length)}
                </p>
                <BusyButton
                  size="sm"
                  variant="primary"
                  busy={inviting.isPending}
                  busyLabel={words.inviting}
                  onClick={() => inviting.mutate(selected, { onSuccess: forget })}
                >
                  <Send aria-hidden /> {words.invite(selected.length)}
                </BusyButton>
                <Button
                  size="sm"
                  onClick={() =>
                    marking.mutate({ ids: selected.map(({ id }) => id), status: 'pending' }, { onSuccess: forget })
                  }
                >
                  {words.markPending}
                </Button>
                <Button size="sm" variant="quiet" className="ml-auto" onClick={forget}>
                  {words.clear}
                </Button>
              </div>
            )}
            <ListStates
              query={page}
              isEmpty={entries.length === 0}
              emptyTitle={words.empty}
              emptyText={words.emptyText}
              emptyAction={
                <Button onClick={() => filter({ search: '', status: '', type: '', years: '' })}>
                  {copy.everything}
                </Button>
              }
            >
              <WaitlistTable
                entries={entries}
                chosen={chosen}
                onChoose={setChosen}
                oldestFirst={view.oldestFirst}
                onOrder={(oldest) => filter({ order: oldest ? 'oldest' : '' })}
                onAnswers={setShown}
                onInvite={(asked) => inviting.mutate(asked)}
                onStatus={(ids, status) => marking.mutate({ ids, status })}
                onRemove={setLeaving}
              />
            </ListStates>
            <Pager
              page={view.page}
              total={total}
              more={entries[0]?.total_is_more}
              onPage={(next) => {
                setChosen(new Set())
                change({ page: String(next) })
              }}
            />
          </Card>
        </TabPanel>
      </Tabs>
      {shown && <QuizAnswers entry={shown} onClose={() => setShown(null)} />}
      {leaving && (
        <Confirm
          open
          onOpenChange={() => setLeaving(null)}
          title={words.removeTitle(leaving.email)}
          description={words.removeText}
          action={words.remove}
          onConfirm={() => removing.mutate(leaving)}
        />
      )}
    </>
  )
}
