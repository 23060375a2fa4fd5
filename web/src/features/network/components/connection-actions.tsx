/** The actions for one person: connect, answer, withdraw, remove, message. */
import { Check, Clock, Ellipsis, Mail, Plus, UserMinus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Connection } from '@/api/connections/model'
import { type Action, type Other, reasonFor, useUnsentAction } from '@/api/connections/outbox'
import { useConnectionActions } from '@/api/connections/use-connection-actions'
import { nameOf } from '@/api/people/model'
import { Badge } from '@/components/ui/badge'
import { Button, LinkButton } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { UnsentState } from '@/components/unsent-state'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/menu'
import { paths } from '@/config/paths'
import { copy } from '../copy'

interface Props {
  other: Other
  /** Shows the connection's state beside its actions. */
  withState?: boolean | undefined
  size?: 'sm' | 'md' | undefined
  /** Which action is the page's primary button: connecting or messaging. */
  lead?: boolean | undefined
  /** On a phone a picture stands for the word of the message button. */
  compact?: boolean | undefined
  /** The menu with the removal stands elsewhere. */
  withoutMenu?: boolean | undefined
}

const strings = copy.actions

interface MenuProps {
  name: string
  size: 'sm' | 'md'
  variant?: 'quiet' | 'line'
  /** Removes the connection, which is asked for first. */
  onRemove: (() => void) | undefined
  /** The entries before that. */
  children?: ReactNode
}

/** What is rarely wanted about a person. */
export function PersonMenu({ name, size, variant = 'quiet', onRemove, children }: MenuProps) {
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <Button variant={variant} size={size === 'sm' ? 'icon-sm' : 'icon'} aria-label={strings.more(name)}>
            <Ellipsis aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent>
          {children}
          {onRemove && (
            <MenuItem destructive onSelect={() => setAsking(true)}>
              <UserMinus aria-hidden /> {strings.remove}
            </MenuItem>
          )}
        </MenuContent>
      </Menu>
      {onRemove && (
        <Confirm
          title={copy.confirmRemove.title(name)}
          description={copy.confirmRemove.text}
          safe={copy.confirmRemove.safe}
          action={copy.confirmRemove.action}
          onConfirm={onRemove}
          open={asking}
          onOpenChange={setAsking}
        />
      )}
    </>
  )
}

/** What was done without network, in place of the actions. */
export function UnsentAction({
  unsent,
  name,
}: {
  unsent: NonNullable<ReturnType<typeof useUnsentAction>>
  name: string
}) {
  const { id, delivery, refusal, payload } = unsent
  return (
    <div role="status" className="grid grid-cols-1 gap-0.5">
      <p className="text-small font-semibold">{strings.done[payload.action](name)}</p>
      <UnsentState id={id} delivery={delivery} reason={refusal && reasonFor(refusal)} what={name} />
    </div>
  )
}

export function ConnectionActions({
  other,
  withState = false,
  size = 'sm',
  lead = false,
  compact,
  withoutMenu,
}: Props) {
  const { runAction, busyWith } = useConnectionActions()
  const busy = busyWith === other.otherId
  const unsent = useUnsentAction(other.otherId)
  const name = nameOf(other.profile, copy.hidden)
  const first = lead ? 'primary' : 'line'
  const on = (action: Action) => ({
    onClick: () => runAction(action, other),
    'aria-disabled': busy,
    size,
  })
  const whom = <span className="sr-only"> {name}</span>
  const connection: Connection | undefined = other.connection
  if (unsent) return <UnsentAction unsent={unsent} name={name} />
  if (connection?.connectionStatus === 'accepted') {
    return (
      <>
        {withState && (
          <Badge variant="success">
            <Check aria-hidden /> {strings.connected}
          </Badge>
        )}
        <LinkButton to={paths.messagesWith(other.otherId)} variant={first} size={size}>
          {compact && <Mail aria-hidden className="sm:hidden" />}
          <span className={compact ? 'max-sm:sr-only' : undefined}>{strings.message}</span>
          {whom}
        </LinkButton>
        {!withoutMenu && <PersonMenu name={name} size={size} onRemove={() => runAction('remove', other)} />}
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
        <Button variant="quiet" {...on('remove')}>
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
