/** The actions menu of a member, with confirmations for actions that cannot simply be undone. */
import { Ban, Ellipsis, Info, type LucideIcon, ShieldMinus, ShieldPlus, Trash2, Undo2, UserRound } from 'lucide-react'
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
import { actionsOn } from '../model'

const icons: Record<MemberAction, LucideIcon> = {
  grant: ShieldPlus,
  revoke: ShieldMinus,
  suspend: Ban,
  restore: Undo2,
  delete: Trash2,
}

interface MenuProps {
  member: Member
  isSelf: boolean
  onDetails: () => void
  onAction: (action: MemberAction) => void
}

export function MemberMenu({ member, isSelf, onDetails, onAction }: MenuProps) {
  const name = member.full_name ?? member.email
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button variant="quiet" size="icon-sm" aria-label={copy.actions(name)}>
          <Ellipsis aria-hidden />
        </Button>
      </MenuTrigger>
      <MenuContent>
        <MenuItem onSelect={onDetails}>
          <Info aria-hidden /> {copy.details}
        </MenuItem>
        <MenuItem asChild>
          <Link to={paths.profileOf(member.id)}>
            <UserRound aria-hidden /> {copy.profile}
          </Link>
        </MenuItem>
        <MenuSeparator />
        {isSelf && <MenuItem disabled>{copy.self}</MenuItem>}
        {actionsOn(member, isSelf).map((action) => {
          const Icon = icons[action]
          return (
            <MenuItem key={action} destructive={action === 'delete'} onSelect={() => onAction(action)}>
              <Icon aria-hidden /> {copy[action]}
            </MenuItem>
          )
        })}
      </MenuContent>
    </Menu>
  )
}

/** Restoring needs no confirmation; deleting requires typing the address. */
export type PendingAction = { member: Member; action: Exclude<MemberAction, 'restore'> }

export function ConfirmAction({
  pending,
  onClose,
  onYes,
}: {
  pending: PendingAction
  onClose: () => void
  onYes: () => void
}) {
  const { member, action } = pending
  const [typed, setTyped] = useState('')
  const name = member.full_name ?? member.email
  const ready = action !== 'delete' || typed.trim().toLowerCase() === member.email.toLowerCase()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!ready) return
    onClose()
    onYes()
  }
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={copy[`${action}Title`](name)} description={copy[`${action}Text`]} withoutCross>
        <form onSubmit={submit} className="grid gap-4">
          {action === 'delete' && (
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
            <Button type="submit" variant={action === 'grant' ? 'primary' : 'danger'} disabled={!ready}>
              {copy[action]}
            </Button>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  )
}
