/** The actions for one person: connect, answer, withdraw, remove, message. */
import { Check, Clock, Plus, UserMinus } from 'lucide-react'
import type { Connection } from '@/api/connections/model'
import { type Action, type Other, useConnectionActions } from '@/api/connections/use-connection-actions'
import { nameOf } from '@/api/people/model'
import { Badge } from '@/components/ui/badge'
import { Button, LinkButton } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { paths } from '@/config/paths'
import { copy } from '../copy'

interface Props {
  other: Other
  /** Shows the connection's state beside its actions. */
  withState?: boolean | undefined
  /** Buttons share the width. */
  spread?: boolean
  size?: 'sm' | 'md' | undefined
  /** Which action is the page's primary button: connecting or messaging. */
  lead?: boolean | undefined
}

const strings = copy.actions

export function ConnectionActions({ other, withState = false, spread = false, size = 'sm', lead = false }: Props) {
  const { runAction, busyWith } = useConnectionActions()
  const busy = busyWith === other.otherId
  const name = nameOf(other.profile, copy.hidden)
  const first = lead ? 'primary' : 'line'
  const stretch = spread ? 'grow basis-0' : undefined
  const on = (action: Action) => ({
    onClick: () => runAction(action, other),
    'aria-disabled': busy,
    size,
    className: stretch,
  })
  const whom = <span className="sr-only"> {name}</span>
  const connection: Connection | undefined = other.connection
  if (connection?.connectionStatus === 'accepted') {
    return (
      <>
        {withState && (
          <Badge variant="success">
            <Check aria-hidden /> {strings.connected}
          </Badge>
        )}
        <LinkButton to={`${paths.messages}?with=${other.otherId}`} variant={first} size={size} className={stretch}>
          {strings.message}
          {whom}
        </LinkButton>
        <Confirm
          title={copy.confirmRemove.title(name)}
          description={copy.confirmRemove.text}
          safe={copy.confirmRemove.safe}
          action={copy.confirmRemove.action}
          onConfirm={() => runAction('remove', other)}
        >
          <Button variant="quiet" size={size === 'sm' ? 'icon-sm' : 'icon'} aria-label={`${strings.remove} ${name}`}>
            <UserMinus aria-hidden />
          </Button>
        </Confirm>
      </>
    )
  }
  if (connection?.connectionStatus === 'pending' && connection.isRequester) {
    return (
      <>
        {withState && (
          <Badge>
            <Clock aria-hidden /> {strings.requested}
          </Badge>
        )}
        <Button variant={spread ? 'line' : 'quiet'} {...on('remove')}>
          {strings.withdraw}
          <span className="sr-only"> to {name}</span>
        </Button>
      </>
    )
  }
  if (connection?.connectionStatus === 'pending') {
    return (
      <>
        <Button variant="primary" {...on('accept')}>
          {strings.accept}
          {whom}
        </Button>
        <Button {...on('decline')}>
          {strings.decline}
          {whom}
        </Button>
      </>
    )
  }
  if (connection?.connectionStatus === 'declined' && connection.isRequester) return <Badge>{strings.declined}</Badge>
  return (
    <Button variant={first} {...on('request')}>
      <Plus aria-hidden /> {strings.connect}
      <span className="sr-only"> with {name}</span>
    </Button>
  )
}
