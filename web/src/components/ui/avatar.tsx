/** A member’s avatar: their picture, or initials on a color derived from the member. */
import { cva, type VariantProps } from 'class-variance-authority'
import clsx from 'clsx'
import { useState } from 'react'
import { hueOf, initials } from '@/lib/format/people'

declare module 'react' {
  interface CSSProperties {
    '--hue'?: number
  }
}

const avatar = cva('grid shrink-0 place-items-center overflow-hidden rounded-[24%]', {
  variants: {
    size: {
      xs: 'size-6 text-[0.54rem]',
      sm: 'size-8 text-[0.72rem]',
      md: 'size-10 text-[0.9rem]',
      lg: 'size-14 text-[1.26rem]',
      xl: 'size-26 text-[2.34rem]',
    },
  },
  defaultVariants: { size: 'md' },
})

interface Props extends VariantProps<typeof avatar> {
  memberId: string
  name: string | null | undefined
  url?: string | null | undefined
  className?: string
}

/** Decorative: the name is always next to it or in the control's label. */
export function Avatar({ memberId, name, url, size, className }: Props) {
  const [broken, setBroken] = useState<string | null>(null)
  const shape = avatar({ size, className })
  if (url && url !== broken) {
    return (
      <img data-slot="avatar" src={url} alt="" className={clsx(shape, 'object-cover')} onError={() => setBroken(url)} />
    )
  }
  return (
    <span
      data-slot="avatar"
      aria-hidden
      className={clsx(shape, 'leading-none font-bold initials font-stretch-[108%]')}
      style={{ '--hue': hueOf(memberId) }}
    >
      {initials(name)}
    </span>
  )
}
