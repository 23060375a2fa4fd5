/** The message form: draft, daily allowance, and the two rejections with their exact texts (§5.19-21). */
import clsx from 'clsx'
import { SendHorizontal } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { FieldError, Textarea } from '@/components/ui/field'
import { FilePicker, PictureButton } from '@/components/files/file-picker'
import { limits } from '@/config/limits'
import type { StoredFile } from '@/lib/files/model'
import { filesOf, useUploads } from '@/lib/files/use-uploads'
import { copy } from '../copy'
import { maxMessageLength } from '../model'

interface Props {
  name: string
  text: string
  onText: (text: string) => void
  onSend: (text: string, file: StoredFile | null) => void
  /** The exact text why sending is not possible. */
  refusal: string | null
  /** Messages used today, for a recipient who is not a connection. */
  used: number | null
  /** Shown when the limit is reached: how to continue. */
  connect: ReactNode
}

function Allowance({ used, connect }: { used: number; connect: ReactNode }) {
  const of = limits.dailyMessagesToStrangers
  return (
    <div data-slot="allowance" className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <span aria-hidden className="flex gap-1 px-1">
        {Array.from({ length: of }, (_, pip) => (
          <i
            key={pip}
            className={clsx('h-2 w-4.5 slant border', pip < used ? 'border-ember bg-ember' : 'border-line-strong')}
          />
        ))}
      </span>
      <p className="text-small">
        <b className="font-[640]">{copy.allowance.used(Math.min(used, of), of)}</b>{' '}
        <span className="text-muted">{copy.allowance.text}</span>
      </p>
      <span className="flex flex-wrap gap-2 empty:hidden md:hidden">{connect}</span>
    </div>
  )
}

export function Composer({ name, text, onText, onSend, refusal, used, connect }: Props) {
  const over = Array.from(text).length - maxMessageLength
  const uploads = useUploads({ bucket: 'message-files', most: 1, initial: [], onFiles: () => undefined })
  const file = uploads.items[0]?.file
  const ready = (text.trim() !== '' || file) && !uploads.busy && over <= 0 && !refusal
  const send = () => {
    if (!ready) return
    uploads.reset()
    onSend(text.trim() || file?.name || copy.picture, file ?? null)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    send()
  }
  const key = (event: KeyboardEvent) => {
    const hasKeyboard = window.matchMedia('(hover: hover)').matches
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing && hasKeyboard) {
      event.preventDefault()
      send()
    }
  }
  return (
    <form
      data-slot="composer"
      onSubmit={submit}
      onPaste={(event) => {
        const files = filesOf(event.clipboardData)
        if (files.length === 0 || refusal) return
        event.preventDefault()
        uploads.add(files)
      }}
      className="grid grid-cols-1 gap-3 border-t border-line bg-surface p-4 pb-[calc(1rem+env(safe-area-inset-bottom))] md:px-5"
    >
      {used !== null && <Allowance used={used} connect={connect} />}
      {refusal && (
        <p role="status" className="text-small font-semibold">
          {refusal}
        </p>
      )}
      {over > 0 && <FieldError>{copy.tooLong(over)}</FieldError>}
      {uploads.items.length > 0 && <FilePicker label={copy.file} uploads={uploads} describes />}
      <div className="flex flex-wrap items-end justify-between gap-3">
        {uploads.items.length === 0 && !refusal && <PictureButton uploads={uploads} />}
        <Textarea
          aria-label={copy.box(name)}
          placeholder={copy.placeholder}
          rows={1}
          dir="auto"
          disabled={refusal !== null}
          value={text}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={key}
          className="field-sizing-content max-h-40 min-h-11 min-w-0 grow basis-36 resize-none max-[20rem]:order-first max-[20rem]:basis-full md:min-h-10"
        />
        <Button type="submit" variant="primary" aria-disabled={!ready} aria-label={copy.send} className="max-md:px-3">
          <SendHorizontal aria-hidden />
          <span className="max-md:hidden">{copy.send}</span>
        </Button>
      </div>
    </form>
  )
}
