/** Members: search, view, grant and revoke the admin role, suspend, restore, delete; and the audit log. */
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useMemberId } from '@/api/session/auth-context'
import { Badge } from '@/components/ui/badge'
import { BusyButton, Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { PersonLine } from '@/components/ui/person-line'
import { adminKeys } from '@/features/admin-shared/api/keys'
import { type Member, type MembersView, membersQuery, readMembers } from '@/features/admin-shared/api/queries'
import { FilterSelect } from '@/features/admin-shared/components/filter-select'
import { ListStates } from '@/features/admin-shared/components/list-states'
import { PageHeader } from '@/features/admin-shared/components/page-header'
import { Pager } from '@/features/admin-shared/components/pager'
import { SearchBox } from '@/features/admin-shared/components/search-box'
import { type Column, Table } from '@/features/admin-shared/components/table'
import { adminCopy } from '@/features/admin-shared/copy'
import { toCsv } from '@/features/admin-shared/csv'
import { downloadFile } from '@/lib/browser/download-file'
import { useAdminAction } from '@/features/admin-shared/use-admin-action'
import { useListView } from '@/features/admin-shared/use-list-view'
import { formatDate } from '@/lib/format/dates'
import { changeMember, type MemberAction } from '../api/mutations'
import { copy } from '../copy'
import { kinds, parseMembersView, sorts } from '../model'
import { AuditLog } from './audit-log'
import { ConfirmAction, type PendingAction, MemberMenu } from './member-actions'
import { MemberDetails } from './member-details'

function Standing({ member }: { member: Member }) {
  return (
    <span className="flex flex-wrap gap-1.5">
      {member.admin && <Badge variant="ember">{copy.admin}</Badge>}
      {member.suspended && <Badge variant="destructive">{copy.suspended}</Badge>}
      {!member.confirmed && <Badge variant="warning">{copy.unconfirmed}</Badge>}
    </span>
  )
}

/** Every sort column, ascending and descending. */
const mobileSorts = sorts.flatMap((sort) =>
  (['up', 'down'] as const).map((order) => [`${sort} ${order}`, `${copy.sorts[sort]}, ${copy[order]}`] as const),
)
const lastSignIn = ({ last_sign_in_at: at }: Member) => (at ? formatDate(at) : copy.never)

const lead: Column<Member> = {
  name: 'name',
  head: copy.member,
  sortable: true,
  className: 'md:max-w-80 lg:max-xl:max-w-64',
  cell: (member) => (
    <div className="flex items-center justify-between gap-3">
      <PersonLine
        memberId={member.id}
        name={member.full_name ?? copy.nameless}
        avatarUrl={member.avatar_url}
        unit={
          <span className="block max-w-full truncate" title={member.email}>
            {member.email}
          </span>
        }
        size="sm"
      />
      <div className="shrink-0 max-md:hidden">
        <Standing member={member} />
      </div>
    </div>
  ),
}

const columns: Column<Member>[] = [
  {
    name: 'department',
    head: copy.department,
    sortable: true,
    className: 'min-w-40 max-w-48 [overflow-wrap:anywhere] lg:max-w-72',
    cell: ({ department }) => department,
  },
  {
    name: 'joined',
    head: copy.joined,
    sortable: true,
    largestFirst: true,
    from: 'xl',
    className: 'whitespace-nowrap',
    cell: ({ created_at }) => formatDate(created_at),
  },
  {
    name: 'last_sign_in',
    head: copy.lastSignIn,
    sortable: true,
    largestFirst: true,
    className: 'whitespace-nowrap',
    cell: lastSignIn,
  },
]

function Brief({ member }: { member: Member }) {
  return (
    <div className="grid gap-1.5 pl-11 text-muted">
      {member.department && <p className="[overflow-wrap:anywhere]">{member.department}</p>}
      <p>
        {copy.lastSignIn}: {lastSignIn(member)}
      </p>
      <Standing member={member} />
    </div>
  )
}

function useExport() {
  return useAdminAction({
    mutationFn: async (view: MembersView) => {
      const members = await readMembers(view)
      const rows = members.map((one) => [
        one.full_name,
        one.email,
        one.department,
        one.member_position,
        one.rank,
        one.firefighter_type,
        one.created_at,
        one.last_sign_in_at,
        one.admin ? 'yes' : 'no',
        one.suspended ? 'yes' : 'no',
      ])
      downloadFile('members.csv', 'text/csv;charset=utf-8', `\ufeff${toCsv(copy.columns, rows)}`)
      return members.length
    },
    invalidates: adminKeys.totals,
    done: (count) => ({ title: copy.exported(count) }),
    failed: adminCopy.exportFailed,
  })
}

export function UsersPage() {
  const me = useMemberId()
  const { view, change } = useListView(parseMembersView)
  const page = useQuery(membersQuery(view))
  const [shown, setShown] = useState<Member | null>(null)
  const [pending, setPending] = useState<PendingAction | null>(null)
  const members = page.data ?? []
  const changing = useAdminAction({
    mutationFn: ({ action, member }: { action: MemberAction; member: Member }) => changeMember(action, member.id),
    invalidates: adminKeys.all,
    done: (_, { action, member }) => ({ title: copy.done[action], description: member.email }),
    failed: copy.failed,
  })
  const exporting = useExport()
  const choose = (action: MemberAction, member: Member) =>
    action === 'restore' ? changing.mutate({ action, member }) : setPending({ action, member })
  const sortBy = (sort: string, descending: boolean) => change({ sort, order: descending ? 'down' : 'up' })
  return (
    <>
      <PageHeader title={copy.title}>
        <LinkButton to="/admin/waitlist?invite=new">{copy.inviteSomeone}</LinkButton>
        <BusyButton busy={exporting.isPending} busyLabel={copy.exporting} onClick={() => exporting.mutate(view)}>
          <Download aria-hidden /> {copy.export}
        </BusyButton>
      </PageHeader>
      <div className="mb-4 flex flex-wrap gap-3">
        <SearchBox value={view.search} label={copy.search} onSearch={(search) => change({ search })} />
        <FilterSelect
          label={copy.standing}
          value={view.standing}
          options={Object.entries(copy.standings)}
          onChoose={(standing) => change({ standing })}
        />
        <FilterSelect
          label={copy.kind}
          value={view.kind}
          options={[['', copy.anyKind], ...kinds.map((kind) => [kind, kind] as const)]}
          onChoose={(type) => change({ type })}
        />
        {/* On mobile, where the column headings are hidden. */}
        <FilterSelect
          label={copy.sort}
          value={`${view.sort} ${view.descending ? 'down' : 'up'}`}
          options={mobileSorts}
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
          emptyTitle={copy.empty}
          emptyText={copy.emptyText}
          emptyAction={
            <Button onClick={() => change({ search: '', standing: '', type: '' })}>{adminCopy.everything}</Button>
          }
        >
          <Table
            label={copy.title}
            rows={members}
            lead={lead}
            columns={columns}
            brief={(member) => <Brief member={member} />}
            opening={{ label: (member) => copy.open(member.full_name ?? member.email), onOpen: setShown }}
            sorting={{ by: view.sort, descending: view.descending, onSort: sortBy }}
            menu={(member) => (
              <MemberMenu
                member={member}
                isSelf={member.id === me}
                onDetails={() => setShown(member)}
                onAction={(action) => choose(action, member)}
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
          {copy.log}
        </h2>
        <Card className="px-4 py-2">
          <AuditLog />
        </Card>
      </section>
      {shown && (
        <MemberDetails
          member={shown}
          isSelf={shown.id === me}
          onClose={() => setShown(null)}
          onAction={(action) => {
            setShown(null)
            choose(action, shown)
          }}
        />
      )}
      {pending && (
        <ConfirmAction pending={pending} onClose={() => setPending(null)} onYes={() => changing.mutate(pending)} />
      )}
    </>
  )
}
