/** A switch that applies its change at once. */
import clsx from 'clsx'
import { Switch as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'

export function Switch({ className, ...props }: ComponentProps<typeof Radix.Root>) {
  return (
    <Radix.Root
      data-slot="switch"
      className={clsx(
        'relative inline-flex h-7 w-12 shrink-0 items-center rounded-full border border-line-strong bg-line-strong transition-colors data-disabled:cursor-not-allowed data-disabled:opacity-60 data-[state=checked]:border-ember data-[state=checked]:bg-ember',
        className,
      )}
      {...props}
    >
      <Radix.Thumb className="block size-5 translate-x-1 rounded-full bg-surface transition-transform data-[state=checked]:translate-x-6 data-[state=checked]:bg-ember-on motion-reduce:transition-none" />
    </Radix.Root>
  )
}
