/** One tab of the network: the other member of each connection, by page. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { UsersRound } from 'lucide-react'
import type { ListedConnection, Tab } from '@/api/connections/model'
import { connectionListQuery } from '@/api/connections/queries'
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
import { connectionKeys } from '@/api/connections/keys'
import { rowsOf } from '@/lib/live-lists/keyset'
import { useShortMemory } from '@/lib/live-lists/long-lists'
import { useColumns } from '@/lib/browser/use-columns'
import { copy } from '../copy'
import { searchBoxId } from './search-box'
import { ConnectionActions } from './connection-actions'

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

function ConnectionCard({ connection }: { connection: ListedConnection }) {
  const name = nameOf(connection.profile, copy.hidden)
  return (
    <Card className="grid grid-cols-1 content-between gap-4 p-4 md:p-5">
      <PersonLine
        memberId={connection.otherId}
        name={name}
        avatarUrl={connection.profile?.avatar_url}
        unit={unitOf(connection.profile)}
        to={paths.profileOf(connection.otherId)}
      />
      <div className="flex items-center gap-2">
        <ConnectionActions other={{ otherId: connection.otherId, profile: connection.profile, connection }} spread />
      </div>
    </Card>
  )
}

export function ConnectionList({ tab }: { tab: Tab }) {
  const memberId = useMemberId()
  const connections = useInfiniteQuery(connectionListQuery(memberId, tab))
  const columns = useColumns()
  useShortMemory(connectionKeys.list(memberId, tab))
  if (connections.isPending) return <Skeletons />
  if (connections.isError) {
    return (
      <Card>
        <Failed title={copy.error.title} onRetry={() => void connections.refetch()}>
          {copy.error.description}
        </Failed>
      </Card>
    )
  }
  const all = rowsOf(connections.data)
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
        keyOf={(connection) => connection.otherId}
        estimate={132}
        gap={16}
        columns={columns}
        more={connections.hasNextPage}
        label={copy.tabs[tab]}
      >
        {(connection) => <ConnectionCard connection={connection} />}
      </WindowedList>
      {connections.hasNextPage && <LoadMore of={connections} label={copy.more} busyLabel={copy.loadingMore} />}
    </>
  )
}
