/** The form for a comment or a reply, with @mentions. */
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { useSingleFlight } from '@/lib/browser/use-single-flight'
import { copy } from '../copy'
import type { Named } from '../model'
import { CharactersLeft } from './characters-left'
import { MentionBox } from './mention-box'

const mostText = 2000

interface Props {
  label: string
  initial?: string
  /** Members picked before. */
  named?: readonly Named[]
  busy: boolean
  submit?: string
  /** Opened by a button: takes the focus on mount, and returns it on close. */
  focusOnMount?: boolean
  onText?: (text: string) => void
  /** Resolves when it is saved: the form is cleared. */
  onSubmit: (content: string, picked: readonly Named[]) => Promise<unknown>
  onCancel?: () => void
}

export function CommentForm({
  label,
  initial = '',
  named = [],
  busy,
  submit = copy.comments.send,
  focusOnMount,
  onText,
  onSubmit,
  onCancel,
}: Props) {
  const form = useRef<HTMLFormElement>(null)
  const single = useSingleFlight()
  const [start] = useState(initial)
  const [text, setText] = useState(start)
  const [picked, setPicked] = useState<readonly Named[]>(named)
  const write = (next: string) => {
    setText(next)
    onText?.(next)
  }
  useEffect(() => {
    if (!focusOnMount) return
    const opener = document.activeElement
    const box = form.current?.querySelector('textarea')
    box?.focus()
    box?.setSelectionRange(box.value.length, box.value.length)
    return () => {
      // The button may have been replaced by the form: then it exists again only after this render.
      window.requestAnimationFrame(() => {
        if (document.activeElement === document.body && opener instanceof HTMLElement && opener.isConnected)
          opener.focus()
      })
    }
  }, [focusOnMount])
  const ready = text.trim() !== '' && !busy
  const send = () => {
    if (!ready) return
    single(() => onSubmit(text.trim(), picked).then(() => write(''))) // rejected: the text is kept
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send()
    if (event.key === 'Escape' && text.trim() === start.trim()) onCancel?.()
  }
  return (
    <form
      ref={form}
      className="grid min-w-0 grow grid-cols-1 gap-2"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        send()
      }}
    >
      <MentionBox
        aria-label={label}
        placeholder={label}
        rows={1}
        maxLength={mostText}
        value={text}
        onText={write}
        onPick={(person) => setPicked((before) => [...before, person])}
        onKeyDown={keys}
        className="max-h-60 min-h-11 resize-none md:min-h-10"
      />
      <CharactersLeft text={text} most={mostText} />
      {(text || onCancel) && (
        <div className="flex justify-end gap-2">
          {onCancel && (
            <Button variant="quiet" size="sm" onClick={onCancel}>
              {copy.comments.cancel}
            </Button>
          )}
          <BusyButton type="submit" variant="primary" size="sm" busy={busy} busyLabel={copy.comments.sending}>
            {submit}
          </BusyButton>
        </div>
      )}
    </form>
  )
}
