/** What a link to a deleted entry opens. */
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { adminCopy } from '../copy'

export const GoneEntry = ({ onClose }: { onClose: () => void }) => (
  <Dialog open onOpenChange={onClose}>
    <DialogContent title={adminCopy.gone.title}>
      <p>{adminCopy.gone.text}</p>
    </DialogContent>
  </Dialog>
)
