/** A dialog with a form that asks before unsaved changes are lost: on Escape, an outside click, Back or a reload. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useBlocker } from 'react-router-dom'
import { Confirm } from './confirm'
import { Dialog, DialogContent, DialogTrigger } from './dialog'

interface Form {
  /** The form has unsaved changes. */
  onDirty: () => void
  /** The form was saved: the dialog closes. */
  onDone: () => void
}

interface Props {
  title: string
  wide?: boolean
  /** The trigger button; or control it with `open`. */
  trigger?: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: (form: Form) => ReactNode
}

const strings = { title: 'Leave without saving?', text: 'What you changed is lost.', action: 'Leave', safe: 'Stay' }

export function GuardedDialog({ title, wide, trigger, children, ...control }: Props) {
  const [own, setOwn] = useState(false)
  const [dirty, setDirty] = useState(false)
  const [asking, setAsking] = useState(false)
  const open = control.open ?? own
  const guarded = open && dirty
  const away = useBlocker(guarded)
  const setOpen = (next: boolean) => {
    setDirty(false)
    ;(control.onOpenChange ?? setOwn)(next)
  }
  useEffect(() => {
    if (!guarded) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [guarded])
  // The confirmation closes on either answer; which one it was is known a moment later.
  const leaving = useRef(false)
  const leave = () => {
    leaving.current = true
    setOpen(false)
    if (away.state === 'blocked') away.proceed()
  }
  const answered = () => {
    setAsking(false)
    queueMicrotask(() => {
      if (!leaving.current && away.state === 'blocked') away.reset()
      leaving.current = false
    })
  }
  return (
    <>
      <Dialog open={open} onOpenChange={(next) => (!next && dirty ? setAsking(true) : setOpen(next))}>
        {trigger && <DialogTrigger asChild>{trigger}</DialogTrigger>}
        <DialogContent title={title} wide={wide}>
          {children({ onDirty: () => setDirty(true), onDone: () => setOpen(false) })}
        </DialogContent>
      </Dialog>
      <Confirm
        title={strings.title}
        description={strings.text}
        action={strings.action}
        safe={strings.safe}
        onConfirm={leave}
        open={asking || away.state === 'blocked'}
        onOpenChange={answered}
      />
    </>
  )
}
