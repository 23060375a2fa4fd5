/** The cover of an article: a URL, or an uploaded picture, scaled down in the browser and stored with the article. */
import { type ChangeEvent, useId, useState } from 'react'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { Button } from '@/components/ui/button'
import { Field, FieldError, Input } from '@/components/ui/field'
import { logError } from '@/lib/browser/log'
import { shrinkImage } from '@/lib/browser/shrink-image'
import { copy } from '../copy'
import { coverShape, isUploaded } from '../model'

interface Props {
  /** The current value: a URL, or an uploaded picture as a data URL. */
  image: string
  error: string | undefined
  input: UseFormRegisterReturn
  onImage: (image: string) => void
}

export function CoverField({ image, error, input, onImage }: Props) {
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const labelId = useId()
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    event.target.value = ''
    event.stopPropagation() // nothing in the form has changed until the picture is read
    if (!file || state === 'busy') return
    setState('busy')
    shrinkImage(file, coverShape).then(
      (url) => {
        setState('idle')
        onImage(url)
      },
      (cause: unknown) => {
        logError('The cover could not be read', cause)
        setState('failed')
      },
    )
  }
  const upload = (
    <label className="inline-flex h-11 cursor-pointer items-center rounded-control border border-line-strong px-3 type-control text-small hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-focus md:h-10">
      {state === 'busy' ? copy.uploading : copy.upload}
      <input type="file" accept="image/jpeg,image/png,image/webp" className="sr-only" onChange={choose} />
    </label>
  )
  return (
    <div className="grid gap-2">
      {isUploaded(image) ? (
        <div role="group" aria-labelledby={labelId} className="grid gap-1.5">
          <span id={labelId} className="text-small font-semibold">
            {copy.fields.image}
          </span>
          <img
            src={image}
            alt={copy.uploaded}
            className="aspect-video w-full max-w-80 rounded-card border border-line"
          />
          <div className="flex flex-wrap gap-2">
            {upload}
            <Button variant="quiet" onClick={() => onImage('')}>
              {copy.removeImage}
            </Button>
          </div>
        </div>
      ) : (
        <>
          <Field label={copy.fields.image} hint={copy.imageHint} error={error}>
            {(control) => <Input {...control} maxLength={2048} {...input} />}
          </Field>
          <div>{upload}</div>
        </>
      )}
      {state === 'failed' && <FieldError>{copy.badPicture}</FieldError>}
    </div>
  )
}
