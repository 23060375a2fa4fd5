/** Files of a form: chosen, dropped, pasted or taken with the camera; each with progress, cancel, retry, description. */
import clsx from 'clsx'
import { Camera, FileText, ImagePlus, X } from 'lucide-react'
import { type ChangeEvent, useId, useState } from 'react'
import { Button } from '@/components/ui/button'
import { FieldError, TextField } from '@/components/ui/field'
import { copy } from '@/lib/files/copy'
import { acceptedBy, isPdf, takesPdf } from '@/lib/files/model'
import { filesOf, type Item, type Uploads } from '@/lib/files/use-uploads'
import { Picture } from './picture'

interface Props {
  label: string
  uploads: Uploads
  /** Ask what each picture shows. */
  describes?: boolean
  /** In place of uploading at once: to crop. */
  onChosen?: (files: File[]) => void
  hint?: string
}

const chooser =
  'inline-flex h-11 cursor-pointer items-center gap-2 rounded-control border border-line-strong bg-surface px-3 type-control text-small hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-focus md:h-10 [&_svg]:size-4.5'

const said = (item: Item): string => {
  if (item.state === 'checking') return copy.checking(item.name)
  if (item.state === 'done') return copy.done(item.name)
  return item.state === 'failed' ? `${item.name}: ${item.message}` : ''
}

function Thumb({ item }: { item: Item }) {
  const box = 'h-11 w-16 shrink-0 rounded-control border border-line'
  const picture = item.file && !isPdf(item.file.address) ? item.file : null
  if (picture) return <Picture file={{ ...picture, alt: '' }} width={64} className={box} />
  return (
    <span aria-hidden className={clsx(box, 'grid place-items-center bg-sunken text-muted')}>
      <FileText className="size-5" strokeWidth={1.75} />
    </span>
  )
}

interface RowProps {
  item: Item
  place: number
  uploads: Uploads
  describes: boolean
}

function Row({ item, place, uploads, describes }: RowProps) {
  const name = item.name || (uploads.most > 1 ? copy.picture(place) : copy.aFile)
  const percent = Math.round(item.share * 100)
  const running = item.state === 'uploading' || item.state === 'checking'
  return (
    <li data-state={item.state} className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-3 gap-y-2">
      <Thumb item={item} />
      <div className="grid min-w-0 gap-1">
        <p className="truncate text-small" title={item.name}>
          {item.name || (item.file && isPdf(item.file.address) ? 'PDF' : '')}
        </p>
        {running && (
          <div className="flex items-center gap-2">
            <progress
              aria-label={copy.uploading(name, percent)}
              max={100}
              value={item.state === 'checking' ? undefined : percent}
              className="h-1.5 w-full accent-(--ember)"
            />
            <span aria-hidden className="shrink-0 text-small text-muted tabular-nums">
              {item.state === 'checking' ? copy.checkingShort : `${percent}%`}
            </span>
          </div>
        )}
        {item.state === 'failed' && <FieldError>{item.message}</FieldError>}
      </div>
      <span className="flex items-center gap-1">
        {item.retryable && item.state === 'failed' && (
          <Button size="sm" aria-label={copy.retryNamed(name)} onClick={() => uploads.retry(item.key)}>
            {copy.retry}
          </Button>
        )}
        <Button
          variant="quiet"
          size="icon"
          aria-label={running ? copy.cancel(name) : copy.remove(name)}
          onClick={() => uploads.remove(item.key)}
        >
          <X aria-hidden />
        </Button>
      </span>
      {describes && item.file && !isPdf(item.file.address) && (
        <div className="col-span-full">
          <TextField
            label={uploads.most > 1 ? `${copy.alt} ${place}` : copy.alt}
            hint={place === 1 ? copy.altHint : undefined}
            maxLength={1000}
            value={item.file.alt}
            onChange={(event) => uploads.describe(item.key, event.target.value)}
          />
        </div>
      )}
    </li>
  )
}

export function FilePicker({ label, uploads, describes = false, onChosen, hint }: Props) {
  const [over, setOver] = useState(false)
  const labelId = useId()
  const choose = onChosen ?? uploads.add
  const full = uploads.most > 1 && uploads.items.length >= uploads.most
  const chosen = (event: ChangeEvent<HTMLInputElement>) => {
    const files = [...(event.target.files ?? [])]
    event.target.value = ''
    event.stopPropagation() // nothing in the form has changed until something is uploaded
    if (files.length > 0) choose(files)
  }
  const input = { accept: acceptedBy(uploads.bucket), className: 'sr-only', onChange: chosen }
  const one = takesPdf(uploads.bucket) ? copy.chooseFile : copy.choose
  return (
    <div
      role="group"
      aria-labelledby={labelId}
      data-slot="file-picker"
      className={clsx('grid gap-2 rounded-control', over && 'outline-2 outline-offset-4 outline-ember outline-dashed')}
      onPaste={(event) => {
        const files = filesOf(event.clipboardData)
        if (files.length === 0) return
        event.preventDefault()
        event.stopPropagation() // the form would take them, too
        choose(files)
      }}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        event.stopPropagation()
        setOver(false)
        const files = filesOf(event.dataTransfer)
        if (files.length > 0) choose(files)
      }}
    >
      <span id={labelId} className="text-small font-semibold">
        {label}
      </span>
      {uploads.items.length > 0 && (
        <ul className="grid gap-3">
          {uploads.items.map((item, index) => (
            <Row key={item.key} item={item} place={index + 1} uploads={uploads} describes={describes} />
          ))}
        </ul>
      )}
      {!full && (
        <div className="flex flex-wrap items-center gap-2">
          <label className={chooser}>
            <ImagePlus aria-hidden />
            {uploads.most === 1 && uploads.items.length > 0 ? copy.replace : one}
            <input type="file" multiple={uploads.most > 1} {...input} />
          </label>
          <label className={clsx(chooser, 'pointer-fine:hidden')}>
            <Camera aria-hidden />
            {copy.camera}
            <input type="file" capture="environment" {...input} accept="image/*" />
          </label>
          <span className="text-small text-muted pointer-coarse:hidden">{copy.drop}</span>
        </div>
      )}
      {uploads.refused && <FieldError>{uploads.refused}</FieldError>}
      <p className="text-small text-muted">{hint ?? (takesPdf(uploads.bucket) ? copy.limitWithPdf : copy.limit)}</p>
      <p role="status" className="sr-only">
        {uploads.items.map(said).filter(Boolean).join('. ')}
      </p>
    </div>
  )
}

/** The way to the first picture, where the picker itself has no room yet. */
export function PictureButton({ uploads }: { uploads: Uploads }) {
  return (
    <label className={clsx(chooser, 'w-11 justify-center px-0 md:w-10')} title={copy.choose}>
      <ImagePlus aria-hidden />
      <span className="sr-only">{takesPdf(uploads.bucket) ? copy.chooseFile : copy.choose}</span>
      <input
        type="file"
        multiple={uploads.most > 1}
        accept={acceptedBy(uploads.bucket)}
        className="sr-only"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          event.stopPropagation()
          if (files.length > 0) uploads.add(files)
        }}
      />
    </label>
  )
}
