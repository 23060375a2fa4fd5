/** The button that opens the dialog, which is loaded with its first use. */
import { Share } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogTrigger } from '@/components/ui/dialog'
import { copy } from '../copy'

const ShareDialog = lazy(() => import('./share-dialog'))

export function ShareRecord() {
  const [open, setOpen] = useState(false)
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="primary">
          <Share aria-hidden /> {copy.open}
        </Button>
      </DialogTrigger>
      {open && (
        <Suspense>
          <ShareDialog />
        </Suspense>
      )}
    </Dialog>
  )
}
