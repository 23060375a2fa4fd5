/** Tooltips without a delay (§9.34). */
import { Tooltip as Radix } from 'radix-ui'
import type { ReactElement, ReactNode } from 'react'
import { limits } from '@/config/limits'

export function Tooltip({ label, children }: { label: ReactNode; children: ReactElement }) {
  return (
    <Radix.Provider delayDuration={limits.tooltipDelayMs}>
      <Radix.Root>
        <Radix.Trigger asChild>{children}</Radix.Trigger>
        <Radix.Portal>
          <Radix.Content
            data-slot="tooltip"
            sideOffset={6}
            collisionPadding={8}
            className="z-50 max-w-64 rounded-control border border-line bg-raised px-3 py-1.5 text-small text-ink shadow-pop"
          >
            {label}
          </Radix.Content>
        </Radix.Portal>
      </Radix.Root>
    </Radix.Provider>
  )
}
