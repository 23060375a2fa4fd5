/** A member’s avatar: their picture, or initials on a color derived from the member. */
import { cva, type VariantProps } from 'class-variance-authority'
import clsx from 'clsx'
import { lazy, Suspense } from 'react'
import { hueOf, initials } from '@/lib/format/people'

declare module 'react' {
  interface CSSProperties {
    '--hue'?: number
  }
}

const AvatarPhoto = lazy(() => import('./avatar-photo'))

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
  const shape = avatar({ size, className })
  const tile = (
    <span
      data-slot="avatar"
      aria-hidden
      className={clsx(shape, 'leading-none font-bold initials font-stretch-[108%]')}
      style={{ '--hue': hueOf(memberId) }}
    >
      {initials(name)}
    </span>
  )
  if (!url) return tile
  return (
    <Suspense fallback={tile}>
      <AvatarPhoto url={url} width={size === 'xl' ? 320 : 96} className={shape} otherwise={tile} />
    </Suspense>
  )
}
