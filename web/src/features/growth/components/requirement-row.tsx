/** A requirement: whether it is met and by what, and, in one's own plan, what can be done with it. */
import { ArrowDown, ArrowUp, Check, Ellipsis, Link2, Pencil, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { Requirement } from '@/api/growth/model'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { Menu, MenuContent, MenuItem, MenuSeparator, MenuTrigger } from '@/components/ui/menu'
import { Tick } from '@/components/ui/tick'
import { deleteRequirement, placeRequirements, tickRequirement } from '../api'
import { copy } from '../copy'
import { moved, wordsOf } from '../model'
import { useChange } from '../use-change'
import { MeetDialog, RequirementDialog } from './requirement-dialogs'

const strings = copy.requirements

function RowMenu({ requirement, all }: { requirement: Requirement; all: readonly Requirement[] }) {
  const [open, setOpen] = useState<'meet' | 'edit' | 'remove' | null>(null)
  const tick = useChange((isTicked: boolean) => tickRequirement(requirement.id, isTicked))
  const place = useChange(placeRequirements)
  const remove = useChange(() => deleteRequirement(requirement.id))
  const control = (name: typeof open) => ({
    open: open === name,
    onOpenChange: (now: boolean) => setOpen(now ? name : null),
  })
  const isTicked = requirement.state === 'met' && !requirement.isLinked
  const [up, down] = [moved(all, requirement.id, -1), moved(all, requirement.id, 1)]
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <Button variant="quiet" size="icon-sm" aria-label={strings.more(requirement.title)}>
            <Ellipsis aria-hidden />
          </Button>
        </MenuTrigger>
        <MenuContent>
          <MenuItem onSelect={() => tick.mutate(!isTicked)}>
            {isTicked ? <Undo2 aria-hidden /> : <Check aria-hidden />} {isTicked ? strings.notDone : strings.done}
          </MenuItem>
          <MenuItem onSelect={() => setOpen('meet')}>
            <Link2 aria-hidden /> {strings.meet}
          </MenuItem>
          <MenuItem onSelect={() => setOpen('edit')}>
            <Pencil aria-hidden /> {strings.edit}
          </MenuItem>
          {up && (
            <MenuItem onSelect={() => place.mutate(up)}>
              <ArrowUp aria-hidden /> {strings.up}
            </MenuItem>
          )}
          {down && (
            <MenuItem onSelect={() => place.mutate(down)}>
              <ArrowDown aria-hidden /> {strings.down}
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem destructive onSelect={() => setOpen('remove')}>
            <Trash2 aria-hidden /> {strings.remove}
          </MenuItem>
        </MenuContent>
      </Menu>
      <MeetDialog requirement={requirement} {...control('meet')} />
      <RequirementDialog requirement={requirement} {...control('edit')} />
      <Confirm
        title={strings.removeTitle(requirement.title)}
        description={strings.removeText}
        action={strings.remove}
        onConfirm={() => remove.mutate(undefined)}
        {...control('remove')}
      />
    </>
  )
}

interface Props {
  requirement: Requirement
  isNext: boolean
  own: boolean
  all: readonly Requirement[]
}

export function RequirementRow({ requirement, isNext, own, all }: Props) {
  const { title, detail, state } = requirement
  const isMet = state === 'met'
  const isLost = state === 'expired' || state === 'gone' || state === 'canceled'
  return (
    <li
      data-slot="requirement"
      className={isNext ? 'flex items-start gap-4 bg-ember-soft p-4 md:px-5' : 'flex items-start gap-4 p-4 md:px-5'}
    >
      <Tick state={isMet ? 'done' : isLost ? 'lost' : isNext ? 'next' : 'open'} />
      <div className="min-w-0 grow">
        <div className="flex items-start gap-3">
          <h3 dir="auto" className="min-w-0 grow type-name [overflow-wrap:anywhere]">
            {title}
            <span className="sr-only">, {isMet ? strings.isMet : isLost ? strings.noLonger : strings.isOpen}</span>
          </h3>
          {isNext && <Badge variant="ember">{strings.next}</Badge>}
        </div>
        {detail && !isMet && (
          <p dir="auto" className="text-small [overflow-wrap:anywhere] text-muted">
            {detail}
          </p>
        )}
        <p
          className={
            isLost
              ? 'text-small font-[560] [overflow-wrap:anywhere] text-destructive-text'
              : 'text-small [overflow-wrap:anywhere] text-muted'
          }
        >
          {wordsOf(requirement)}
        </p>
      </div>
      {own && <RowMenu requirement={requirement} all={all} />}
    </li>
  )
}
