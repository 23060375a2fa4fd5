/** The waitlist: search, view answers, invite, export. */
import { useQuery } from '@tanstack/react-query'
import { Download, Plus } from 'lucide-react'
import { useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Confirm } from '@/components/ui/confirm'
import { Tab, TabList, TabPanel, Tabs } from '@/components/ui/tabs'
import { waitlistCountsQuery } from '@/features/admin-shared/api/queries'
import { GoneEntry } from '@/features/admin-shared/components/gone-entry'
import { ListStates } from '@/features/admin-shared/components/list-states'
import { PageHeader } from '@/features/admin-shared/components/page-header'
import { Pager } from '@/features/admin-shared/components/pager'
import { adminCopy } from '@/features/admin-shared/copy'
import { useListView } from '@/features/admin-shared/use-list-view'
import { useOpenEntry } from '@/features/admin-shared/use-open-entry'
import { waitlistKeys } from '../api/keys'
import { fetchWaitlistEntry, type WaitlistEntry, waitlistQuery } from '../api/queries'
import { copy } from '../copy'
import { parseWaitlistView, waitlistStatuses } from '../model'
import { useWaitlistActions } from '../use-waitlist-actions'
import { Filters } from './filters'
import { InviteDialog } from './invite-dialog'
import { QuizAnswers } from './quiz-answers'
import { SelectionBar } from './selection-bar'
import { WaitlistTable } from './waitlist-table'

export function WaitlistPage() {
  const { view, change } = useListView(parseWaitlistView)
  const page = useQuery(waitlistQuery(view))
  const counts = useQuery(waitlistCountsQuery).data
  const [chosen, setChosen] = useState<Set<string>>(new Set())
  const [leaving, setLeaving] = useState<WaitlistEntry | null>(null)
  const [asking, setAsking] = useState(false)
  const entries = page.data ?? []
  const total = entries[0]?.total ?? 0
  const { entry, isGone, open } = useOpenEntry<WaitlistEntry>(entries, waitlistKeys.entry, fetchWaitlistEntry)
  const selected = entries.filter(({ id }) => chosen.has(id))
  const forget = () => setChosen(new Set())
  const filter = (changes: Record<string, string>) => {
    setChosen(new Set())
    change(changes)
  }

  const { inviting, invitingAddress, marking, removing, exporting } = useWaitlistActions(view)
  const filtered = view.search || view.standing || view.kind || view.years
  const inviteChosen = () => inviting.mutate(selected, { onSuccess: forget })
  const countOf = (status: string) =>
    counts && (status ? (counts.get(status) ?? 0) : [...counts.values()].reduce((sum, one) => sum + one, 0))

  return (
    <>
      <PageHeader title={copy.title}>
        <BusyButton busy={exporting.isPending} busyLabel={copy.exporting} onClick={() => exporting.mutate(undefined)}>
          <Download aria-hidden /> {copy.export}
        </BusyButton>
        <Button variant="primary" onClick={() => change({ invite: 'new' })}>
          <Plus aria-hidden /> {copy.someone.button}
        </Button>
      </PageHeader>
      <Tabs value={view.standing} onValueChange={(status) => filter({ status })}>
        <TabList aria-label={copy.status}>
          {(['', ...waitlistStatuses] as const).map((status) => (
            <Tab key={status} value={status} count={countOf(status)}>
              {status ? adminCopy.waitlistStatuses[status] : copy.all}
            </Tab>
          ))}
        </TabList>
        <TabPanel value={view.standing} tabIndex={-1}>
          <Filters view={view} onFilter={filter} />
          <Card className="overflow-hidden">
            {selected.length > 0 && (
              <SelectionBar
                count={selected.length}
                inviting={inviting.isPending}
                onInvite={() => (selected.length === 1 ? inviteChosen() : setAsking(true))}
                onPending={() =>
                  marking.mutate({ ids: selected.map(({ id }) => id), status: 'pending' }, { onSuccess: forget })
                }
                onClear={forget}
              />
            )}
            <ListStates
              query={page}
              isEmpty={entries.length === 0}
              emptyTitle={filtered ? copy.empty : copy.none}
              emptyText={filtered ? copy.emptyText : copy.noneText}
              emptyAction={
                filtered && (
                  <Button onClick={() => filter({ search: '', status: '', type: '', years: '' })}>
                    {adminCopy.everything}
                  </Button>
                )
              }
            >
              <WaitlistTable
                entries={entries}
                chosen={chosen}
                onChoose={setChosen}
                oldestFirst={view.oldestFirst}
                onOrder={(oldest) => filter({ order: oldest ? 'oldest' : '' })}
                onAnswers={({ id }) => open(id)}
                onInvite={(entries) => inviting.mutate(entries)}
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
      {entry && (
        <QuizAnswers
          entry={entry}
          inviting={inviting.isPending}
          onInvite={() => inviting.mutate([entry], { onSuccess: () => open(null) })}
          onClose={() => open(null)}
        />
      )}
      {isGone && <GoneEntry onClose={() => open(null)} />}
      {view.inviting && (
        <InviteDialog
          busy={invitingAddress.isPending}
          onClose={() => change({ invite: '' })}
          onInvite={(email) => invitingAddress.mutate(email, { onSuccess: () => change({ invite: '' }) })}
        />
      )}
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={copy.inviteTitle(selected.length)}
        description={copy.inviteText}
        action={copy.invite(selected.length)}
        variant="primary"
        onConfirm={inviteChosen}
      />
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
