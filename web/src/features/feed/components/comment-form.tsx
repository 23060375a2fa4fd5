/** The box for a comment or an answer, with @names. */
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { copy } from '../copy'
import type { Named } from '../model'
import { MentionBox } from './mention-box'

interface Props {
  label: string
  initial?: string
  busy: boolean
  submit?: string
  /** Resolves when it is saved: the box empties. */
  onSubmit: (content: string, picked: Named[]) => Promise<unknown>
  onCancel?: () => void
}

export function CommentForm({ label, initial = '', busy, submit = copy.comments.send, onSubmit, onCancel }: Props) {
  const [text, setText] = useState(initial)
  const [picked, setPicked] = useState<Named[]>([])
  const ready = text.trim() !== '' && !busy
  const send = () => {
    if (!ready) return
    onSubmit(text.trim(), picked).then(
      () => setText(''),
      () => {}, // said by a toast; what was written stays
    )
  }
  const keys = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send()
    if (event.key === 'Escape') onCancel?.()
  }
  return (
    <form
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
        maxLength={2000}
        value={text}
        onText={setText}
        onPick={(person) => setPicked((before) => [...before, person])}
        onKeyDown={keys}
        className="max-h-60 min-h-11! resize-none! md:min-h-10!"
      />
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
