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

const words = copy.actions

export function ConnectionActions({ other, withState = false, spread = false, size = 'sm', lead = false }: Props) {
  const { act, busyWith } = useConnectionActions()
  const busy = busyWith === other.otherId
  const name = nameOf(other.profile, copy.hidden)
  const first = lead ? 'primary' : 'line'
  const stretch = spread ? 'grow basis-0' : undefined
  const on = (action: Action) => ({
    onClick: () => act(action, other),
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
            <Check aria-hidden /> {words.connected}
          </Badge>
        )}
        <LinkButton to={`${paths.messages}?with=${other.otherId}`} variant={first} size={size} className={stretch}>
          {words.message}
          {whom}
        </LinkButton>
        <Confirm
          title={copy.confirmRemove.title(name)}
          description={copy.confirmRemove.text}
          safe={copy.confirmRemove.safe}
          action={copy.confirmRemove.action}
          onConfirm={() => act('remove', other)}
        >
          <Button variant="quiet" size={size === 'sm' ? 'icon-sm' : 'icon'} aria-label={`${words.remove} ${name}`}>
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
            <Clock aria-hidden /> {words.requested}
          </Badge>
        )}
        <Button variant={spread ? 'line' : 'quiet'} {...on('remove')}>
          {words.withdraw}
          <span className="sr-only"> the request to {name}</span>
        </Button>
      </>
    )
  }
  if (connection?.connectionStatus === 'pending') {
    return (
      <>
        <Button variant="primary" {...on('accept')}>
          {words.accept}
          {whom}
        </Button>
        <Button {...on('decline')}>
          {words.decline}
          {whom}
        </Button>
      </>
    )
  }
  if (connection?.connectionStatus === 'declined' && connection.isRequester) return <Badge>{words.declined}</Badge>
  return (
    <Button variant={first} {...on('request')}>
      <Plus aria-hidden /> {words.connect}
      <span className="sr-only"> with {name}</span>
    </Button>
  )
}
