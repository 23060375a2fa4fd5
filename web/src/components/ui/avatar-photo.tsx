/** The photo of an avatar: loaded with the member's token, so apart from what visitors load first. */
import clsx from 'clsx'
import type { ReactNode } from 'react'
import { usePicture } from '@/lib/files/pictures'

interface Props {
  url: string
  /** px of the screen. */
  width: number
  className: string
  /** Meanwhile, and when it can't be loaded. */
  otherwise: ReactNode
}

export default function AvatarPhoto({ url, width, className, otherwise }: Props) {
  const { url: shown } = usePicture(url, { width, square: true })
  if (!shown) return otherwise
  return <img data-slot="avatar" src={shown} alt="" className={clsx(className, 'object-cover')} />
}
