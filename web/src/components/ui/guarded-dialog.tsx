/** A dialog with a form that asks before unsaved changes are lost: on Escape, an outside click, Back, a link or a reload. */
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

const strings = {
  title: 'Discard changes?',
  text: 'Your changes aren’t saved.',
  action: 'Discard',
  safe: 'Keep editing',
}

interface AwayProps {
  leave: () => void
  answered: () => void
  asking: boolean
}

/**
 * The question. Mounted only while there is something to lose: the router consults one blocker, the last one mounted, and
 * a page may hold many dialogs.
 */
function Guard({ asking, leave, answered }: AwayProps) {
  const away = useBlocker(true)
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [])
  // The confirmation closes on either answer; which one it was is known a moment later.
  const leaving = useRef(false)
  return (
    <Confirm
      title={strings.title}
      description={strings.text}
      action={strings.action}
      safe={strings.safe}
      onConfirm={() => {
        leaving.current = true
        leave()
        if (away.state === 'blocked') away.proceed()
      }}
      open={asking || away.state === 'blocked'}
      onOpenChange={() => {
        answered()
        queueMicrotask(() => {
          if (!leaving.current && away.state === 'blocked') away.reset()
          leaving.current = false
        })
      }}
    />
  )
}

export function GuardedDialog({ title, wide, trigger, children, ...control }: Props) {
  const [own, setOwn] = useState(false)
  const [dirty, setDirty] = useState(false)
  const [asking, setAsking] = useState(false)
  const open = control.open ?? own
  const guarded = open && dirty
  const setOpen = (next: boolean) => {
    setDirty(false)
    ;(control.onOpenChange ?? setOwn)(next)
  }
  return (
    <>
      <Dialog open={open} onOpenChange={(next) => (!next && dirty ? setAsking(true) : setOpen(next))}>
        {trigger && <DialogTrigger asChild>{trigger}</DialogTrigger>}
        <DialogContent title={title} wide={wide}>
          {children({ onDirty: () => setDirty(true), onDone: () => setOpen(false) })}
        </DialogContent>
      </Dialog>
      {guarded && <Guard asking={asking} leave={() => setOpen(false)} answered={() => setAsking(false)} />}
    </>
  )
}
