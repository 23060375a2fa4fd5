/** What connections say of a member, in sentences; the member shows or hides each. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { Link } from 'react-router-dom'
import { connectedQuery } from '@/api/connections/queries'
import { nameOf } from '@/api/people/model'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { SafetyMenuItems } from '@/components/safety-menu-items'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Confirm } from '@/components/ui/confirm'
import { Failed } from '@/components/ui/failed'
import { Menu, MenuContent, MenuTrigger } from '@/components/ui/menu'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { type Endorsement, endorsementKeys, endorsementsQuery, showEndorsement, takeBack } from '../api'
import { copy } from '../copy'
import { EndorseDialog } from './endorse-dialog'

function useChange<Argument>(memberId: string, change: (argument: Argument) => Promise<void>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: change,
    onError: (cause) => {
      logError('The endorsement was not changed', cause)
      showToast(copy.notSaved)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: endorsementKeys.of(memberId) }),
  })
}

function Row({ endorsement, memberId }: { endorsement: Endorsement; memberId: string }) {
  const me = useMemberId()
  const show = useChange(memberId, showEndorsement)
  const remove = useChange(memberId, takeBack)
  const { id, endorser, endorserId, about, sentence } = endorsement
  const name = nameOf(endorser)
  const isMine = endorserId === me
  const isShown = show.isPending ? show.variables.isShown : endorsement.isShown
  return (
    <li data-slot="endorsement" className="grid grid-cols-1 gap-1 py-3">
      <div className="flex items-start justify-between gap-3">
        <p dir="auto" className="min-w-0 [overflow-wrap:anywhere]">
          “{sentence}”
        </p>
        {!isMine && (
          <Menu>
            <MenuTrigger asChild>
              <Button variant="quiet" size="icon-sm" className="-mr-2" aria-label={copy.more(name)}>
                <Ellipsis aria-hidden />
              </Button>
            </MenuTrigger>
            <MenuContent>
              <SafetyMenuItems
                subject={{ kind: 'endorsement', id }}
                person={endorser ? { id: endorser.id, name } : null}
              />
            </MenuContent>
          </Menu>
        )}
      </div>
      <p className="text-small [overflow-wrap:anywhere] text-muted">
        <span className="font-semibold text-ink">{about}</span> ·{' '}
        {isMine ? (
          copy.isYours
        ) : endorser ? (
          <Link to={paths.profileOf(endorserId)} className="link-inline">
            {copy.by(name)}
          </Link>
        ) : (
          copy.by(name)
        )}
      </p>
      {memberId === me && (
        <p className="flex items-center gap-2 text-small text-muted">
          {isShown ? copy.shown : copy.hidden}
          <Button variant="quiet" size="sm" onClick={() => show.mutate({ id, isShown: !isShown })}>
            {isShown ? copy.hide : copy.show} <span className="sr-only">{copy.whatIsSaid(name)}</span>
          </Button>
        </p>
      )}
      {isMine && (
        <Confirm
          title={copy.takeBackTitle}
          description={copy.takeBackText}
          action={copy.takeBack}
          onConfirm={() => remove.mutate(id)}
        >
          <Button variant="quiet" size="sm" className="-ml-3 justify-self-start">
            {copy.takeBack}
          </Button>
        </Confirm>
      )}
    </li>
  )
}

/** Nothing while it loads, and for others where there is nothing to see or to say. */
export function Endorsements({ memberId }: { memberId: string }) {
  const me = useMemberId()
  const own = memberId === me
  const query = useQuery(endorsementsQuery(memberId, own))
  const isConnected = useQuery({ ...connectedQuery(me, memberId), enabled: !own }).data ?? false
  const name = nameOf(useQuery({ ...profileQuery(memberId), enabled: isConnected }).data)
  if (query.isPending) return null
  const found = query.data
  if (found?.length === 0 && !own && !isConnected) return null
  return (
    <Card>
      <section aria-label={copy.title} className="grid grid-cols-1 gap-1 p-4 md:p-5">
        <header className="flex min-h-9 flex-wrap items-center justify-between gap-3">
          <h2 className="type-card">{copy.title}</h2>
          {isConnected && <EndorseDialog memberId={memberId} name={name} />}
        </header>
        {!found ? (
          <Failed title={copy.failed} onRetry={() => void query.refetch()} />
        ) : (
          <>
            {own && <p className="text-small text-muted">{found.length === 0 ? copy.empty : copy.lead}</p>}
            {found.length > 0 && (
              <ul className="divide-y divide-line">
                {found.map((endorsement) => (
                  <Row key={endorsement.id} endorsement={endorsement} memberId={memberId} />
                ))}
              </ul>
            )}
          </>
        )}
      </section>
    </Card>
  )
}
