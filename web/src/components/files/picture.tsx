/** A picture of a member: its blurred preview in its final box, then the picture; its description when it fails. */
import clsx from 'clsx'
import { ImageOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { copy } from '@/lib/files/copy'
import type { StoredFile } from '@/lib/files/model'
import { usePicture } from '@/lib/files/pictures'

interface Props {
  file: Pick<StoredFile, 'address' | 'preview' | 'alt'> & Partial<Pick<StoredFile, 'width' | 'height'>>
  className?: string
  /** How wide it is shown at most, CSS px. */
  width: number
  /** Whether all of it is shown, in its own proportions; else it fills its box. */
  whole?: boolean
}

/** Whether the element has come near to what is seen. */
function useNear() {
  const box = useRef<HTMLSpanElement>(null)
  const [near, setNear] = useState(false)
  useEffect(() => {
    if (near || !box.current) return
    const observer = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && setNear(true), {
      rootMargin: '400px',
    })
    observer.observe(box.current)
    return () => observer.disconnect()
  }, [near])
  return { box, near }
}

export function Picture({ file, className, width, whole = false }: Props) {
  const { box, near } = useNear()
  const { url, failed } = usePicture(file.address, { width: width * Math.min(window.devicePixelRatio, 2) }, near)
  const fit = whole ? 'object-contain' : 'object-cover'
  return (
    <span
      ref={box}
      data-slot="picture"
      className={clsx('relative block overflow-hidden bg-sunken', className)}
      style={whole && file.width && file.height ? { aspectRatio: `${file.width} / ${file.height}` } : undefined}
    >
      {file.preview && !url && !failed && (
        <img src={file.preview} alt="" className={clsx('absolute inset-0 size-full scale-110 blur-md', fit)} />
      )}
      {url && <img src={url} alt={file.alt} className={clsx('absolute inset-0 size-full', fit)} />}
      {failed && (
        <span className="absolute inset-0 grid content-center justify-items-center gap-1 p-3 text-center text-small text-muted">
          <ImageOff aria-hidden className="size-5" />
          <span className="line-clamp-4 [overflow-wrap:anywhere]">{file.alt || copy.broken}</span>
        </span>
      )}
    </span>
  )
}
