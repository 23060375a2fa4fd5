/** A native select. */
import clsx from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'

export function Select({ className, children, ...props }: ComponentProps<'select'>) {
  return (
    <span className={clsx('relative block', className)}>
      <select
        data-slot="select"
        className="h-11 w-full appearance-none rounded-control border border-line-strong bg-surface pr-10 pl-3 text-body text-ink focus-visible:outline-offset-0 disabled:bg-sunken disabled:text-muted aria-invalid:border-destructive-text md:h-10"
        {...props}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  )
}
