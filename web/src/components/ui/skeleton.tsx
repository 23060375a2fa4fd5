/** Placeholders in the shape of the loading content. */
import { cva, type VariantProps } from 'class-variance-authority'
import clsx from 'clsx'
import { type ReactNode, useEffect, useState } from 'react'

const skeleton = cva('block skeleton', {
  variants: {
    shape: {
      line: 'rounded-tag',
      control: 'rounded-control',
      card: 'rounded-card',
      dialog: 'rounded-dialog',
      avatar: 'rounded-[24%]',
    },
  },
  defaultVariants: { shape: 'line' },
})

export function Skeleton({ shape, className }: VariantProps<typeof skeleton> & { className?: string }) {
  return <span data-slot="skeleton" aria-hidden className={skeleton({ shape, className })} />
}

/** An avatar with two lines beside it. The line widths are given. */
export function PersonSkeleton({ className, lines }: { className?: string; lines: readonly [string, string] }) {
  return (
    <div className={clsx('flex gap-3', className)}>
      <Skeleton shape="avatar" className="size-10" />
      <div className="grid grow content-center gap-2">
        <Skeleton className={clsx('h-4', lines[0])} />
        <Skeleton className={clsx('h-3.5', lines[1])} />
      </div>
    </div>
  )
}

/** Wraps skeletons: announces loading once, and after 10 s that it is taking long. */
export function Loading({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  const [long, setLong] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setLong(true), 10_000)
    return () => window.clearTimeout(timer)
  }, [])
  return (
    <div data-slot="loading" aria-busy="true" className={className}>
      <p role="status" className={clsx(long ? 'col-span-full mb-3 text-small text-muted' : 'sr-only')}>
        {long ? `${label} This takes longer than usual.` : label}
      </p>
      {children}
    </div>
  )
}
