/** A picture from this device: chosen, scaled down in the browser, shown, removed. Its value is a data URL. */
import { type ChangeEvent, useId, useState } from 'react'
import { logError } from '@/lib/browser/log'
import { shrinkImage } from '@/lib/browser/shrink-image'
import { Button } from './button'
import { FieldError } from './field'

/** 16:9, small enough for a list of many. */
const shape = {
  sizes: [
    [960, 540],
    [640, 360],
    [480, 270],
  ],
  mostChars: 60_000,
} as const

interface Props {
  label: string
  /** A data URL or a path of this site; empty: none. */
  picture: string
  onPicture: (picture: string) => void
  strings: { upload: string; remove: string; failed: string }
}

export function PictureUpload({ label, picture, onPicture, strings }: Props) {
  const [failed, setFailed] = useState(false)
  const labelId = useId()
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    event.target.value = ''
    event.stopPropagation() // nothing in the form has changed until the picture is read
    if (!file) return
    setFailed(false)
    shrinkImage(file, shape).then(onPicture, (cause: unknown) => {
      logError('The picture could not be read', cause)
      setFailed(true)
    })
  }
  return (
    <div role="group" aria-labelledby={labelId} className="grid gap-1.5">
      <span id={labelId} className="text-small font-semibold">
        {label}
      </span>
      {picture && <img src={picture} alt="" className="aspect-video w-full max-w-80 rounded-card border border-line" />}
      <div className="flex flex-wrap gap-2">
        <label className="inline-flex h-11 cursor-pointer items-center rounded-control border border-line-strong px-3 type-control text-small hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-focus md:h-10">
          {strings.upload}
          <input type="file" accept="image/jpeg,image/png,image/webp" className="sr-only" onChange={choose} />
        </label>
        {picture && (
          <Button variant="quiet" onClick={() => onPicture('')}>
            {strings.remove}
          </Button>
        )}
      </div>
      {failed && <FieldError>{strings.failed}</FieldError>}
    </div>
  )
}
