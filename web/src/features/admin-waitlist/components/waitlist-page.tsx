/** The waitlist: find, look at the answers, invite, export. */
import { useQuery } from '@tanstack/react-query'
import { Download, Send } from 'lucide-react'
import { useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Confirm } from '@/components/ui/confirm'
import { Tab, TabList, TabPanel, Tabs } from '@/components/ui/tabs'
import { adminKeys } from '@/features/admin-shared/api/keys'
import { waitlistCountsQuery } from '@/features/admin-shared/api/queries'
import { Choice } from '@/features/admin-shared/components/choice'
import { ListStates } from '@/features/admin-shared/components/list-states'
import { PageHead } from '@/features/admin-shared/components/page-head'
import { Pager } from '@/features/admin-shared/components/pager'
import { SearchBox } from '@/features/admin-shared/components/search-box'
import { adminCopy } from '@/features/admin-shared/copy'
import { keepFocus } from '@/features/admin-shared/keep-focus'
import { useAct } from '@/features/admin-shared/use-act'
import { useView } from '@/features/admin-shared/use-view'
import { waitlistKeys } from '../api/keys'
import { invite, removeFromWaitlist, setWaitlistStatus } from '../api/mutations'
import { allWaitlist, type WaitlistEntry, waitlistQuery } from '../api/queries'
import { copy } from '../copy'
import { save } from '../download'
import { parseQuizAnswers, parseWaitlistView, toCsv, type WaitlistStatus, waitlistStatuses } from '../model'
import { QuizAnswers } from './quiz-answers'
import { WaitlistTable } from './waitlist-table'

const touches = waitlistKeys.all

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
  [['', `${label}: ${adminCopy.any}`], ...Object.entries(names)] as [string, string][]

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
        passed > 0 && copy.passed(passed),
        reasons.length > 0 && `${copy.notMailed(reasons.length)}: ${reasons.slice(0, 3).join(' · ')}`,
      ].filter(Boolean)
      return { title: copy.invited(mailed), ...(left.length > 0 ? { description: left.join('. ') } : {}) }
    },
  })
  const marking = useAct({
    act: ({ ids, status }: { ids: string[]; status: WaitlistStatus }) => setWaitlistStatus(ids, status),
    touches,
    done: () => ({ title: adminCopy.saved }),
  })
  const removing = useAct({
    act: ({ id }: WaitlistEntry) => removeFromWaitlist(id),
    touches,
    done: () => ({ title: adminCopy.saved }),
  })
  const exporting = useAct({
    act: async () => {
      const rows = await allWaitlist(view)
      save('waitlist.csv', 'text/csv;charset=utf-8', `\ufeff${toCsv(csvHead, rows.map(csvRow))}`)
      return rows.length
    },
    touches: adminKeys.totals,
    done: (count) => ({ title: copy.exported(count) }),
  })
  const countOf = (status: string) =>
    counts && (status ? (counts.get(status) ?? 0) : [...counts.values()].reduce((sum, one) => sum + one, 0))

  return (
    <>
      <PageHead title={copy.title}>
        <BusyButton busy={exporting.isPending} busyLabel={copy.exporting} onClick={() => exporting.mutate(undefined)}>
          <Download aria-hidden /> {copy.export}
        </BusyButton>
      </PageHead>
      <Tabs value={view.standing} onValueChange={(status) => filter({ status })}>
        <TabList aria-label={copy.status}>
          {(['', ...waitlistStatuses] as const).map((status) => (
            <Tab key={status} value={status} count={countOf(status)}>
              {status ? adminCopy.waitlistStatuses[status] : copy.all}
            </Tab>
          ))}
        </TabList>
        <TabPanel value={view.standing} tabIndex={-1}>
          <div className="mb-4 flex flex-wrap gap-3">
            <SearchBox value={view.search} label={copy.search} onSearch={(search) => filter({ search })} />
            <Choice
              label={copy.type}
              value={view.kind}
              options={options(copy.type, adminCopy.types)}
              onChoose={(type) => filter({ type })}
            />
            <Choice
              label={copy.years}
              value={view.years}
              options={options(copy.years, copy.yearsOfService)}
              onChoose={(years) => filter({ years })}
            />
            {/* On a phone, where the columns have no heads. */}
            <Choice
              label={copy.order}
              value={view.oldestFirst ? 'oldest' : ''}
              options={copy.orders}
              className="md:hidden"
              onChoose={(order) => filter({ order })}
            />
          </div>
          <Card className="overflow-hidden">
            {selected.length > 0 && (
              <div className="flex flex-wrap items-center gap-3 border-b border-ember-line bg-ember-soft px-4 py-2">
                <p role="status" className="text-small font-semibold">
                  {copy.selected(selected.length)}
                </p>
                <BusyButton
                  size="sm"
                  variant="primary"
                  busy={inviting.isPending}
                  busyLabel={copy.inviting}
                  onClick={() => inviting.mutate(selected, { onSuccess: forget })}
                >
                  <Send aria-hidden /> {copy.invite(selected.length)}
                </BusyButton>
                <Button
                  size="sm"
                  onClick={() =>
                    marking.mutate({ ids: selected.map(({ id }) => id), status: 'pending' }, { onSuccess: forget })
                  }
                >
                  {copy.markPending}
                </Button>
                <Button size="sm" variant="quiet" className="ml-auto" onClick={forget}>
                  {copy.clear}
                </Button>
              </div>
            )}
            <ListStates
              query={page}
              isEmpty={entries.length === 0}
              emptyTitle={copy.empty}
              emptyText={copy.emptyText}
              emptyAction={
                <Button onClick={() => filter({ search: '', status: '', type: '', years: '' })}>
                  {adminCopy.everything}
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
          title={copy.removeTitle(leaving.email)}
          description={copy.removeText}
          action={copy.remove}
          onConfirm={() => removing.mutate(leaving)}
        />
      )}
    </>
  )
}
