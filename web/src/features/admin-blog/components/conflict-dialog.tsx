/** The article was saved by somebody else since it was opened: keep which version? */
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { copy } from '../copy'

interface Props {
  onKeep: () => void
  onReload: () => void
  onClose: () => void
}

export function ConflictDialog({ onKeep, onReload, onClose }: Props) {
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={copy.conflict} description={copy.conflictText} withoutCross>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onClose}>{copy.stay}</Button>
          <Button onClick={onReload}>{copy.takeTheirs}</Button>
          <Button variant="danger" onClick={onKeep}>
            {copy.keepMine}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
