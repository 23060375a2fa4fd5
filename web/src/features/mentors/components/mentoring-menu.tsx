/** What can be done about a mentoring, in a menu: message, report, block, end. Ending asks first. */
import { Ellipsis, MessageSquare, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { nameOf } from '@/api/people/model'
import { SafetyMenuItems } from '@/components/safety-menu-items'
import { Button } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/menu'
import { paths } from '@/config/paths'
import { changeMentoring } from '../api'
import { copy } from '../copy'
import type { Mentoring } from '../model'
import { useMentorChange } from '../use-mentors'

export function MentoringMenu({ mentoring }: { mentoring: Mentoring }) {
  const { id, other, otherId, state } = mentoring
  const [asking, setAsking] = useState(false)
  const end = useMentorChange(changeMentoring)
  const name = nameOf(other)
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <Button variant="quiet" size="icon-sm" className="-mr-2" aria-label={copy.more(name)}>
            <Ellipsis aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent>
          <MenuItem asChild>
            <Link to={`${paths.messages}?with=${otherId}`}>
              <MessageSquare aria-hidden /> {copy.message}
            </Link>
          </MenuItem>
          {other && <SafetyMenuItems subject={{ kind: 'profile', id: otherId }} person={{ id: otherId, name }} />}
          {state === 'accepted' && (
            <MenuItem destructive onSelect={() => setAsking(true)}>
              <UserMinus aria-hidden /> {copy.end}
            </MenuItem>
          )}
        </MenuContent>
      </Menu>
      <Confirm
        title={copy.endTitle(name)}
        description={copy.endText}
        safe={copy.keep}
        action={copy.end}
        onConfirm={() => end.mutate({ id, state: 'ended' })}
        open={asking}
        onOpenChange={setAsking}
      />
    </>
  )
}
