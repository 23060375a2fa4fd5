/** Drop-down menus. */
import clsx from 'clsx'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ComponentProps } from 'react'

/** Not modal: the page behind it stays readable and scrollable. */
export function Menu(props: ComponentProps<typeof Radix.Root>) {
  return <Radix.Root modal={false} {...props} />
}
export const MenuTrigger = Radix.Trigger

/** Rendered in place, inside its landmark: at the end of the body it would be outside of all. */
export function MenuContent({
  className,
  sideOffset = 8,
  align = 'end',
  ...props
}: ComponentProps<typeof Radix.Content>) {
  return (
    <Radix.Content
      data-slot="menu"
      sideOffset={sideOffset}
      align={align}
      collisionPadding={8}
      className={clsx(
        'z-50 max-h-(--radix-dropdown-menu-content-available-height) max-w-[calc(100vw-1rem)] min-w-[min(14rem,calc(100vw-1rem))] overflow-x-hidden overflow-y-auto rounded-dialog border border-line bg-raised p-1.5 text-ui text-ink shadow-pop outline-none',
        'duration-(--base) data-[state=open]:fade-in data-[state=open]:slide-in-from-top-1 motion-safe:data-[state=open]:animate-in',
        className,
      )}
      {...props}
    />
  )
}

interface ItemProps extends ComponentProps<typeof Radix.Item> {
  /** Cannot be undone: in red. */
  destructive?: boolean
}

export function MenuItem({ className, destructive = false, ...props }: ItemProps) {
  return (
    <Radix.Item
      data-slot="menu-item"
      className={clsx(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 font-[560] outline-none data-disabled:text-muted data-highlighted:bg-sunken md:min-h-9 [&_svg]:size-4.5 [&_svg]:shrink-0 [&_svg]:text-muted',
        destructive && 'text-destructive-text',
        className,
      )}
      {...props}
    />
  )
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1.5 my-1.5 h-px bg-line" />
}

export const MenuLabel = Radix.Label
