/** Members: find, look at, give and take the admin role, suspend, restore, delete; and what was done so far. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMemberId } from '@/api/session/auth-context'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { PersonLine } from '@/components/ui/person-line'
import { formatDate } from '@/lib/dates'
import { adminKeys } from '../api/keys'
import { actOnMember, type MemberAct } from '../api/mutations'
import { type Member, membersQuery } from '../api/queries'
import { copy } from '../copy'
import { parseMembersView } from '../model'
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
import { Table, Td, Th } from './table'

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
        <Choice
          label={words.sort}
          value={view.sort}
          options={Object.entries(words.sorts)}
          onChoose={(sort) => change({ sort, order: sort === 'joined' || sort === 'last_sign_in' ? 'down' : 'up' })}
        />
        <Choice
          label="Order"
          value={view.descending ? 'down' : 'up'}
          options={[
            ['up', words.up],
            ['down', words.down],
          ]}
          onChoose={(order) => change({ order })}
        />
      </div>
      <Card className="overflow-hidden">
        <ListStates query={page} isEmpty={members.length === 0} emptyTitle={words.empty} emptyText={words.emptyText}>
          <Table aria-label={words.title}>
            <thead>
              <tr>
                <Th>{words.member}</Th>
                <Th wide>{words.department}</Th>
                <Th wide>{words.standing}</Th>
                <Th wide>{words.joined}</Th>
                <Th wide>{words.lastSignIn}</Th>
                <Th className="w-14">
                  <span className="sr-only">Actions</span>
                </Th>
              </tr>
            </thead>
            <tbody>
              {members.map((member) => (
                <tr key={member.id}>
                  <Td>
                    <PersonLine
                      memberId={member.id}
                      name={member.full_name ?? words.nameless}
                      avatarUrl={member.avatar_url}
                      unit={member.email}
                      size="sm"
                    />
                    <span className="mt-1 block md:hidden">
                      <Standing member={member} />
                    </span>
                  </Td>
                  <Td wide className="max-w-48 truncate">
                    {member.department}
                  </Td>
                  <Td wide>
                    <Standing member={member} />
                  </Td>
                  <Td wide className="whitespace-nowrap">
                    {formatDate(member.created_at)}
                  </Td>
                  <Td wide className="whitespace-nowrap">
                    {member.last_sign_in_at ? formatDate(member.last_sign_in_at) : words.never}
                  </Td>
                  <Td>
                    <MemberMenu
                      member={member}
                      isSelf={member.id === me}
                      onDetails={() => setShown(member)}
                      onAct={(act) => choose(act, member)}
                    />
                  </Td>
                </tr>
              ))}
            </tbody>
          </Table>
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
