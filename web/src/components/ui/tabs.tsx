/** Tabs: text, a count, and the slanted bar under the current one. */
import clsx from 'clsx'
import { Tabs as Radix } from 'radix-ui'
import { type ComponentProps, useEffect, useRef } from 'react'
import { scrollIntoRow } from '@/lib/focus/scroll-into-row'
import { Count } from './badge'

export const Tabs = Radix.Root

/** On mobile the tabs scroll sideways: the current one is scrolled into view whenever it changes. */
function useCurrentInSight() {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = list.current
    if (!element) return
    const show = () => scrollIntoRow(element.querySelector<HTMLElement>('[data-state=active]'))
    const observer = new MutationObserver(show) // another tab became current, or a count made the tabs wider
    observer.observe(element, { subtree: true, childList: true, attributeFilter: ['data-state'] })
    show()
    return () => observer.disconnect()
  }, [])
  return list
}

export function TabList({ className, ...props }: Omit<ComponentProps<typeof Radix.List>, 'ref'>) {
  return (
    <Radix.List
      ref={useCurrentInSight()}
      data-slot="tabs"
      className={clsx(
        'relative flex fade-row [scrollbar-width:none] gap-6 overflow-x-auto border-b border-line',
        className,
      )}
      {...props}
    />
  )
}

interface TabProps extends ComponentProps<typeof Radix.Trigger> {
  count?: number | undefined
  /** The count calls for action: ember color, with its accessible label. */
  urgent?: string | undefined
}

export function Tab({ count, urgent, className, children, ...props }: TabProps) {
  return (
    <Radix.Trigger
      className={clsx(
        'relative flex min-h-12 min-w-6 shrink-0 items-center justify-center gap-2 rounded-t-tag type-control text-muted hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:text-ink',
        "data-[state=active]:after:absolute data-[state=active]:after:inset-x-0.5 data-[state=active]:after:bottom-0 data-[state=active]:after:h-1 data-[state=active]:after:[transform:skewX(-35deg)] data-[state=active]:after:bg-ember data-[state=active]:after:content-['']",
        className,
      )}
      {...props}
    >
      {children}
      {count !== undefined &&
        (urgent && count > 0 ? (
          <Count value={count} what={urgent} />
        ) : (
          <span className="font-normal text-muted tabular-nums">{count.toLocaleString('en-US')}</span>
        ))}
    </Radix.Trigger>
  )
}

export function TabPanel({ className, ...props }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content className={clsx('pt-4 outline-none', className)} {...props} />
}
