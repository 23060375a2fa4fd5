/** Bulk actions for the selected entries. */
import { Send } from 'lucide-react'
import { BusyButton, Button } from '@/components/ui/button'
import { copy } from '../copy'

interface Props {
  count: number
  inviting: boolean
  onInvite: () => void
  onPending: () => void
  onClear: () => void
}

export function SelectionBar({ count, inviting, onInvite, onPending, onClear }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-3 border-b border-ember-line bg-ember-soft px-4 py-2">
      <p role="status" className="text-small font-semibold">
        {copy.selected(count)}
      </p>
      <BusyButton size="sm" variant="primary" busy={inviting} busyLabel={copy.inviting} onClick={onInvite}>
        <Send aria-hidden /> {copy.invite(count)}
      </BusyButton>
      <Button size="sm" onClick={onPending}>
        {copy.markPending}
      </Button>
      <Button size="sm" variant="quiet" className="ml-auto" onClick={onClear}>
        {copy.clear}
      </Button>
    </div>
  )
}
