/** The profile picture: selected, scaled down in the browser, or removed. */
import type { ChangeEvent } from 'react'
import { Avatar } from '@/components/ui/avatar'
import { Button } from '@/components/ui/button'
import { logError } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { copy } from '../copy'
import { shrinkImage } from '../picture'

const strings = copy.form

interface Props {
  memberId: string
  name: string
  url: string | null
  onChange: (url: string | null) => void
}

export function PictureField({ memberId, name, url, onChange }: Props) {
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    event.target.value = ''
    event.stopPropagation() // nothing in the form has changed until the picture is read
    if (!file) return
    shrinkImage(file).then(onChange, (cause: unknown) => {
      logError('The picture could not be read', cause)
      showToast(strings.pictureFailed)
    })
  }
  return (
    <fieldset className="flex flex-wrap items-center gap-4">
      <legend className="mb-1.5 text-small font-semibold">{strings.picture}</legend>
      <Avatar memberId={memberId} name={name} url={url} size="lg" />
      <div className="flex flex-wrap gap-2">
        <label className="inline-flex h-9 cursor-pointer items-center rounded-control border border-line-strong px-3 type-control text-small hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-focus">
          {strings.upload}
          <input type="file" accept="image/jpeg,image/png,image/webp" className="sr-only" onChange={choose} />
        </label>
        {url && (
          <Button variant="quiet" size="sm" onClick={() => onChange(null)}>
            {strings.removePicture}
          </Button>
        )}
      </div>
      <p className="basis-full text-small text-muted">{strings.pictureHint}</p>
    </fieldset>
  )
}
