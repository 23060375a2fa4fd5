/** The waitlist dialog (§2.11). Loaded on the first click of its button. */
import { DataProvider } from '@/api/data-provider'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { copy } from '../copy'
import { draftStep } from '../hooks/use-quiz'
import { useDialogEntry } from '../hooks/use-step-history'
import { focusStep } from './focus-step'
import { WaitlistQuiz } from './waitlist-quiz'

interface Props {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The opening button, which gets the focus back. */
  onClosed: () => void
}

export default function WaitlistDialog({ open, onOpenChange, onClosed }: Props) {
  useDialogEntry(open, draftStep, () => onOpenChange(false))
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        backCloses={false}
        title={<span className="text-ui font-[560] tracking-normal text-muted font-stretch-normal">{copy.title}</span>}
        // One height in every step, so that Next stays in its place.
        className="md:h-[min(40rem,calc(100dvh-3rem))] md:max-w-[40rem]"
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          onClosed()
        }}
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          if (event.currentTarget instanceof Element) focusStep(event.currentTarget)
        }}
      >
        <DataProvider>
          <WaitlistQuiz variant="dialog" onClose={() => onOpenChange(false)} />
        </DataProvider>
      </DialogContent>
    </Dialog>
  )
}
