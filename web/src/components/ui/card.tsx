/** A card: a surface with a border and no shadow. */
import clsx from 'clsx'
import type { ComponentProps } from 'react'

export function Card({ className, ...props }: ComponentProps<'div'>) {
  return (
    <div
      data-slot="card"
      className={clsx('min-w-0 rounded-card border border-line bg-surface', className)}
      {...props}
    />
  )
}
