/** The actions menu of a member, with confirmations for actions that cannot simply be undone. */
import { Ellipsis } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router-dom'
import { Button } from '@/components/ui/button'
import { Dialog, DialogClose, DialogContent } from '@/components/ui/dialog'
import { Field, Input } from '@/components/ui/field'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/components/ui/menu'
import { paths } from '@/config/paths'
import type { Member } from '@/features/admin-shared/api/queries'
import type { MemberAction } from '../api/mutations'
import { copy } from '../copy'

interface MenuProps {
  member: Member
  isSelf: boolean
  onDetails: () => void
  onAct: (act: MemberAction) => void
}

export function MemberMenu({ member, isSelf, onDetails, onAct }: MenuProps) {
  const name = member.full_name ?? member.email
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button variant="quiet" size="icon-sm" aria-label={copy.actions(name)}>
          <Ellipsis aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent inPlace>
        <MenuItem onSelect={onDetails}>{copy.details}</MenuItem>
        <MenuItem asChild>
          <Link to={paths.profileOf(member.id)}>{copy.profile}</Link>
        </MenuItem>
        <MenuSeparator />
        {isSelf ? (
          <MenuItem disabled>{copy.self}</MenuItem>
        ) : member.admin ? (
          <MenuItem onSelect={() => onAct('revoke')}>{copy.revoke}</MenuItem>
        ) : (
          <>
            {!member.suspended && <MenuItem onSelect={() => onAct('grant')}>{copy.grant}</MenuItem>}
            <MenuItem onSelect={() => onAct(member.suspended ? 'restore' : 'suspend')}>
              {member.suspended ? copy.restore : copy.suspend}
            </MenuItem>
            <MenuItem onSelect={() => onAct('delete')}>{copy.delete}</MenuItem>
          </>
        )}
      </MenuContent>
    </Menu>
  )
}

/** Restoring needs no confirmation; deleting requires typing the address. */
export type PendingAction = { member: Member; act: Exclude<MemberAction, 'restore'> }

export function ConfirmAction({
  asked,
  onClose,
  onYes,
}: {
  asked: PendingAction
  onClose: () => void
  onYes: () => void
}) {
  const { member, act } = asked
  const [typed, setTyped] = useState('')
  const name = member.full_name ?? member.email
  const ready = act !== 'delete' || typed.trim().toLowerCase() === member.email.toLowerCase()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!ready) return
    onClose()
    onYes()
  }
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={copy[`${act}Title`](name)} description={copy[`${act}Text`]} withoutCross>
        <form onSubmit={submit} className="grid gap-4">
          {act === 'delete' && (
            <Field label={copy.confirmWord(member.email)}>
              {(control) => (
                <Input
                  {...control}
                  value={typed}
                  autoComplete="off"
                  onChange={(event) => setTyped(event.target.value)}
                />
              )}
            </Field>
          )}
          <div className="flex flex-wrap justify-end gap-3">
            <DialogClose asChild>
              <Button>Cancel</Button>
            </DialogClose>
            <Button type="submit" variant={act === 'grant' ? 'primary' : 'danger'} disabled={!ready}>
              {copy[act]}
            </Button>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  )
}
