/** One tab of the network: the other member of each connection, by page. */
import { useInfiniteQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { UsersRound } from 'lucide-react'
import type { ListedConnection, Tab } from '@/api/connections/model'
import { connectionListQuery } from '@/api/connections/queries'
import { nameOf, unitOf } from '@/api/people/model'
import { useReasons } from '@/api/people/use-reasons'
import { useMemberId } from '@/api/session/auth-context'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { LoadMore } from '@/components/ui/load-more'
import { PersonLine } from '@/components/ui/person-line'
import { Loading, PersonSkeleton } from '@/components/ui/skeleton'
import { WindowedList } from '@/components/ui/windowed-list'
import { paths } from '@/config/paths'
import { connectionKeys } from '@/api/connections/keys'
import { rowsOf } from '@/lib/live-lists/keyset'
import { useShortMemory } from '@/lib/live-lists/long-lists'
import { copy } from '../copy'
import { searchBoxId } from './search-box'
import { ConnectionActions } from './connection-actions'

function Skeletons() {
  return (
    <Loading label={copy.loading}>
      <Card className="divide-y divide-line">
        {[0, 1, 2].map((i) => (
          <PersonSkeleton key={i} className="p-4" lines={['w-2/5', 'w-3/5']} />
        ))}
      </Card>
    </Loading>
  )
}

function ConnectionRow({ connection, reason }: { connection: ListedConnection; reason: string | null }) {
  const isAnswered = connection.connectionStatus === 'accepted'
  const name = nameOf(connection.profile, copy.hidden)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3 bg-surface px-4 py-3 hover:bg-bg md:px-5">
      <PersonLine
        memberId={connection.otherId}
        name={name}
        avatarUrl={connection.profile?.avatar_url}
        unit={unitOf(connection.profile)}
        reason={reason}
        to={paths.profileOf(connection.otherId)}
        className={clsx('grow', isAnswered ? 'basis-48' : 'basis-56')}
      />
      <div className={clsx('flex items-center gap-2', isAnswered ? 'ml-auto' : 'max-sm:pl-13')}>
        <ConnectionActions compact other={{ otherId: connection.otherId, profile: connection.profile, connection }} />
      </div>
    </div>
  )
}

const peopleIn = (rows: readonly ListedConnection[]) => rows.flatMap(({ profile }) => profile ?? [])

export function ConnectionList({ tab }: { tab: Tab }) {
  const memberId = useMemberId()
  const connections = useInfiniteQuery(connectionListQuery(memberId, tab))
  useShortMemory(connectionKeys.list(memberId, tab))
  // Requests say why; who is connected already needs no reason.
  const reasonOf = useReasons(tab === 'connections' || !connections.data ? [] : peopleIn(rowsOf(connections.data)))
  if (connections.isPending) return <Skeletons />
  // One that could not be asked for again is shown as it was (§17.1).
  if (!connections.data) {
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
      <Card className="overflow-hidden">
        <WindowedList
          items={all}
          keyOf={(connection) => connection.otherId}
          estimate={72}
          more={connections.hasNextPage}
          label={copy.tabs[tab]}
          rowClassName={(index) => (index > 0 ? 'border-t border-line' : '')}
        >
          {(connection) => (
            <ConnectionRow
              connection={connection}
              reason={tab === 'connections' || !connection.profile ? null : reasonOf(connection.profile)}
            />
          )}
        </WindowedList>
      </Card>
      {connections.hasNextPage && <LoadMore of={connections} label={copy.more} busyLabel={copy.loadingMore} />}
    </>
  )
}
