/** The pictures of a post, in a box whose size is known before they load; each opens in full. */
import clsx from 'clsx'
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { copy } from '@/lib/files/copy'
import type { StoredFile } from '@/lib/files/model'
import { Picture } from './picture'

/** One fills the box; two are halves, three one and two, four quarters. */
const spans: Record<number, (index: number) => string> = {
  1: () => 'col-span-2 row-span-2',
  2: () => 'row-span-2',
  3: (index) => (index === 0 ? 'row-span-2' : ''),
}

export function Gallery({ pictures }: { pictures: readonly StoredFile[] }) {
  if (pictures.length === 0) return null
  return (
    <ul
      data-slot="gallery"
      className="grid aspect-video w-full grid-cols-2 grid-rows-2 gap-1 overflow-hidden rounded-control"
    >
      {pictures.map((file, index) => (
        <li key={file.address} className={clsx('min-h-0 min-w-0', spans[pictures.length]?.(index))}>
          <Dialog>
            <DialogTrigger asChild>
              <button
                type="button"
                aria-label={file.alt ? copy.openNamed(file.alt) : copy.open}
                className="block size-full cursor-zoom-in focus-visible:-outline-offset-3"
              >
                <Picture file={file} width={640} className="size-full" />
              </button>
            </DialogTrigger>
            <DialogContent title={copy.full} className="md:max-w-[min(72rem,calc(100vw-4rem))]">
              <figure className="grid gap-3">
                <Picture file={file} width={1280} whole className="max-h-[70dvh] w-full rounded-control" />
                {file.alt && (
                  <figcaption className="text-ui [overflow-wrap:anywhere] text-muted">{file.alt}</figcaption>
                )}
              </figure>
            </DialogContent>
          </Dialog>
        </li>
      ))}
    </ul>
  )
}
