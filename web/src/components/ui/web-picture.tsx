/** A picture at an address a member entered, with a placeholder when it cannot be loaded. */
import { type ReactNode, useState } from 'react'

interface Props {
  src: string | null
  alt: string
  className?: string
  otherwise?: ReactNode
}

export function WebPicture({ src, alt, className, otherwise = null }: Props) {
  const [broken, setBroken] = useState<string | null>(null)
  if (!src || src === broken) return otherwise
  return (
    <img
      src={src}
      alt={alt}
      loading="lazy"
      referrerPolicy="no-referrer"
      className={className}
      onError={() => setBroken(src)}
    />
  )
}
