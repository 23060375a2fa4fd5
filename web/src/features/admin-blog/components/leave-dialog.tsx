/** Asks before unsaved changes are discarded. */
import type { Blocker } from 'react-router-dom'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { copy } from '../copy'

export function LeaveDialog({ blocker, onDiscard }: { blocker: Blocker; onDiscard: () => void }) {
  if (blocker.state !== 'blocked') return null
  return (
    <Dialog open onOpenChange={(open) => !open && blocker.reset()}>
      <DialogContent title={copy.leave} description={copy.leaveText} withoutCross>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={() => blocker.reset()}>{copy.stay}</Button>
          <Button
            variant="danger"
            onClick={() => {
              onDiscard()
              blocker.proceed()
            }}
          >
            {copy.leaveAction}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
