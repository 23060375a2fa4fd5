/** Members: find, look at, give and take the admin role, suspend, restore, delete; and what was done so far. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMemberId } from '@/api/session/auth-context'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { PersonLine } from '@/components/ui/person-line'
import { formatDate } from '@/lib/format/dates'
import { adminKeys } from '../api/keys'
import { actOnMember, type MemberAct } from '../api/mutations'
import { type Member, membersQuery } from '../api/queries'
import { copy } from '../copy'
import { parseMembersView, sorts } from '../model'
import { useAct } from '../use-act'
import { useView } from '../use-view'
import { AuditLog } from './audit-log'
import { Choice } from './choice'
import { ListStates } from './list-states'
import { AskFirst, type Asked, MemberMenu } from './member-acts'
import { MemberDetails } from './member-details'
import { PageHead } from './page-head'
import { Pager } from './pager'
import { SearchBox } from './search-box'
import { type Column, Table } from './table'

const words = copy.users

function Standing({ member }: { member: Member }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {member.admin && <Badge variant="ember">{words.admin}</Badge>}
      {member.suspended && <Badge variant="destructive">{words.suspended}</Badge>}
      {!member.confirmed && <Badge variant="warning">{words.unconfirmed}</Badge>}
    </span>
  )
}

/** Every order there is, each with its way up and down. */
const phoneSorts = sorts.flatMap((sort) =>
  (['up', 'down'] as const).map((order) => [`${sort} ${order}`, `${words.sorts[sort]}, ${words[order]}`] as const),
)
const lastSignIn = ({ last_sign_in_at: at }: Member) => (at ? formatDate(at) : words.never)

const lead: Column<Member> = {
  name: 'name',
  head: words.member,
  sortable: true,
  className: 'md:max-w-72',
  cell: (member) => (
    <PersonLine
      memberId={member.id}
      name={member.full_name ?? words.nameless}
      avatarUrl={member.avatar_url}
      unit={member.email}
      size="sm"
    />
  ),
}

const columns: Column<Member>[] = [
  {
    name: 'department',
    head: words.department,
    sortable: true,
    className: 'max-w-48 truncate',
    cell: ({ department }) => <span title={department ?? undefined}>{department}</span>,
  },
  { name: 'standing', head: words.standing, cell: (member) => <Standing member={member} /> },
  {
    name: 'joined',
    head: words.joined,
    sortable: true,
    largestFirst: true,
    from: 'lg',
    className: 'whitespace-nowrap',
    cell: ({ created_at }) => formatDate(created_at),
  },
  {
    name: 'last_sign_in',
    head: words.lastSignIn,
    sortable: true,
    largestFirst: true,
    className: 'whitespace-nowrap',
    cell: lastSignIn,
  },
]

function Brief({ member }: { member: Member }) {
  return (
    <div className="grid gap-1.5 pl-11 text-muted">
      {member.department && <p className="truncate">{member.department}</p>}
      <p>
        {words.lastSignIn}: {lastSignIn(member)}
      </p>
      <Standing member={member} />
    </div>
  )
}

export function UsersPage() {
  const me = useMemberId()
  const { view, change } = useView(parseMembersView)
  const page = useQuery(membersQuery(view))
  const [shown, setShown] = useState<Member | null>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const members = page.data ?? []
  const acting = useAct({
    act: ({ act, member }: { act: MemberAct; member: Member }) => actOnMember(act, member.id),
    touches: adminKeys.all,
    done: (_, { act, member }) => ({ title: words.done[act], description: member.email }),
  })
  const choose = (act: MemberAct, member: Member) =>
    act === 'restore' ? acting.mutate({ act, member }) : setAsked({ act, member })
  const sortBy = (sort: string, descending: boolean) => change({ sort, order: descending ? 'down' : 'up' })
  return (
    <>
      <PageHead title={words.title} />
      <div className="mb-4 flex flex-wrap gap-3">
        <SearchBox value={view.search} label={words.search} onSearch={(search) => change({ search })} />
        <Choice
          label={words.standing}
          value={view.standing}
          options={Object.entries(words.standings)}
          onChoose={(standing) => change({ standing })}
        />
        {/* On a phone, where the columns have no heads. */}
        <Choice
          label={words.sort}
          value={`${view.sort} ${view.descending ? 'down' : 'up'}`}
          options={phoneSorts}
          className="md:hidden"
          onChoose={(chosen) => {
            const [sort = '', order] = chosen.split(' ')
            sortBy(sort, order === 'down')
          }}
        />
      </div>
      <Card className="overflow-hidden">
        <ListStates
          query={page}
          isEmpty={members.length === 0}
          emptyTitle={words.empty}
          emptyText={words.emptyText}
          emptyAction={<Button onClick={() => change({ search: '', standing: '' })}>{copy.everything}</Button>}
        >
          <Table
            label={words.title}
            rows={members}
            lead={lead}
            columns={columns}
            brief={(member) => <Brief member={member} />}
            sorting={{ by: view.sort, descending: view.descending, onSort: sortBy }}
            menu={(member) => (
              <MemberMenu
                member={member}
                isSelf={member.id === me}
                onDetails={() => setShown(member)}
                onAct={(act) => choose(act, member)}
              />
            )}
          />
        </ListStates>
        <Pager
          page={view.page}
          total={members[0]?.total ?? 0}
          more={members[0]?.total_is_more}
          onPage={(next) => change({ page: String(next) })}
        />
      </Card>
      <section aria-labelledby="audit-log" className="mt-8">
        <h2 id="audit-log" className="mb-3 type-h2">
          {words.log}
        </h2>
        <Card className="px-4 py-2">
          <AuditLog />
        </Card>
      </section>
      {shown && <MemberDetails member={shown} onClose={() => setShown(null)} />}
      {asked && <AskFirst asked={asked} onClose={() => setAsked(null)} onYes={() => acting.mutate(asked)} />}
    </>
  )
}
