/** One tab of the network: the other side of each connection, by page. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import type { Contact, Tab } from '@/api/connections/model'
import { contactsQuery } from '@/api/connections/queries'
import { nameOf, unitOf } from '@/api/people/model'
import { useMemberId } from '@/api/session/auth-context'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { LoadMore } from '@/components/ui/load-more'
import { PersonLine } from '@/components/ui/person-line'
import { Skeleton, Loading, PersonSkeleton } from '@/components/ui/skeleton'
import { WindowedList } from '@/components/ui/windowed-list'
import { paths } from '@/config/paths'
import { networkKeys } from '@/api/connections/keys'
import { rowsOf } from '@/lib/live-lists/keyset'
import { useShortMemory } from '@/lib/live-lists/long-lists'
import { useColumns } from '@/lib/browser/use-columns'
import { copy } from '../copy'
import { searchBoxId } from './search-box'
import { TieActions } from './tie-actions'

const grid = 'grid grid-cols-1 gap-4 sm:grid-cols-2 xl:grid-cols-3'

function Skeletons() {
  return (
    <Loading label={copy.loading} className={grid}>
      {[0, 1, 2].map((i) => (
        <Card key={i} className="grid gap-4 p-4 md:p-5">
          <PersonSkeleton lines={['w-3/5', 'w-4/5']} />
          <Skeleton className="h-9 w-full md:h-8" />
        </Card>
      ))}
    </Loading>
  )
}

function ContactCard({ contact }: { contact: Contact }) {
  const name = nameOf(contact.profile, copy.hidden)
  return (
    <Card className="grid grid-cols-1 content-between gap-4 p-4 md:p-5">
      <PersonLine
        memberId={contact.otherId}
        name={name}
        avatarUrl={contact.profile?.avatar_url}
        unit={unitOf(contact.profile)}
        to={paths.profileOf(contact.otherId)}
      />
      <div className="flex items-center gap-2">
        <TieActions other={{ otherId: contact.otherId, profile: contact.profile, tie: contact }} spread />
      </div>
    </Card>
  )
}

export function ContactList({ tab }: { tab: Tab }) {
  const memberId = useMemberId()
  const contacts = useInfiniteQuery(contactsQuery(memberId, tab))
  const columns = useColumns()
  useShortMemory(networkKeys.list(memberId, tab))
  if (contacts.isPending) return <Skeletons />
  if (contacts.isError) {
    return (
      <Card>
        <Failed title={copy.error.title} onRetry={() => void contacts.refetch()}>
          {copy.error.description}
        </Failed>
      </Card>
    )
  }
  const all = rowsOf(contacts.data)
  if (all.length === 0) {
    const { action } = copy.empty[tab]
    return (
      <Card>
        <EmptyState
          glyph={<UsersRound />}
          title={copy.empty[tab].title}
          action={action && <Button onClick={() => document.getElementById(searchBoxId)?.focus()}>{action}</Button>}
        >
          {copy.empty[tab].text}
        </EmptyState>
      </Card>
    )
  }
  return (
    <>
      <WindowedList
        items={all}
        keyOf={(contact) => contact.otherId}
        estimate={132}
        gap={16}
        columns={columns}
        more={contacts.hasNextPage}
        label={copy.tabs[tab]}
      >
        {(contact) => <ContactCard contact={contact} />}
      </WindowedList>
      {contacts.hasNextPage && <LoadMore of={contacts} label={copy.more} busyLabel={copy.loadingMore} />}
    </>
  )
}
