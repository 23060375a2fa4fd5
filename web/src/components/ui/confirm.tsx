/** A confirmation before an action that cannot be undone at once: the safe button first, no close button. */
import { type ReactNode, useState } from 'react'
import { Button } from './button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from './dialog'

interface Props {
  /** Names the object: "Remove Owen Lindqvist?" */
  title: string
  description: ReactNode
  action: string
  /** How the action's button looks: destructive unless said otherwise. */
  variant?: 'danger' | 'primary'
  safe?: string
  onConfirm: () => void
  /** The trigger button; or control it with `open`. */
  children?: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

export function Confirm({
  title,
  description,
  action,
  variant = 'danger',
  safe = 'Cancel',
  onConfirm,
  children,
  ...control
}: Props) {
  const [own, setOwn] = useState(false)
  const open = control.open ?? own
  const setOpen = control.onOpenChange ?? setOwn
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      {children && <DialogTrigger asChild>{children}</DialogTrigger>}
      <DialogContent title={title} description={description} withoutCross>
        <div className="flex flex-wrap justify-end gap-3">
          <DialogClose asChild>
            <Button>{safe}</Button>
          </DialogClose>
          <Button
            variant={variant}
            onClick={() => {
              setOpen(false)
              onConfirm()
            }}
          >
            {action}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
