/** Modal dialogs; on mobile a bottom sheet. */
import clsx from 'clsx'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { addLayer } from '@/lib/browser/back-closes'
import { useRootMark } from '@/lib/browser/root-mark'

export const Dialog = Radix.Root
export const DialogTrigger = Radix.Trigger
export const DialogClose = Radix.Close

/** What opened a dialog: the focused element, or the button of the menu whose item was chosen. */
function openerOf(): HTMLElement | null {
  const active = document.activeElement
  const menu = active?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  const opener = menu ? document.getElementById(menu) : active
  return opener instanceof HTMLElement ? opener : null
}

const fields = 'input:not([type=hidden], [type=file], [type=checkbox], [type=radio], :disabled), textarea, select'
const choices = 'input:is([type=checkbox], [type=radio]):not(:disabled), [role=checkbox], [role=radio]'

/** As the Escape key does: what lies on top goes first, and a form with changes asks. */
const escape = () =>
  void document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }))

/** The first field gets the focus, never the cross; on closing it returns to the opener, with or without a trigger. */
function Content({
  onOpenAutoFocus,
  onCloseAutoFocus,
  backCloses,
  ...props
}: ComponentProps<typeof Radix.Content> & { backCloses: boolean }) {
  const [opener] = useState(openerOf)
  useRootMark('dialog')
  useEffect(() => (backCloses ? addLayer(escape) : undefined), [backCloses])
  return (
    <Radix.Content
      onOpenAutoFocus={(event) => {
        onOpenAutoFocus?.(event)
        const dialog = event.target
        if (event.defaultPrevented || !(dialog instanceof HTMLElement)) return
        const field = dialog.querySelector<HTMLElement>(fields) ?? dialog.querySelector<HTMLElement>(choices)
        if (!field) return
        event.preventDefault()
        field.focus({ preventScroll: true })
      }}
      onCloseAutoFocus={(event) => {
        onCloseAutoFocus?.(event)
        if (event.defaultPrevented || !opener?.isConnected) return
        event.preventDefault()
        opener.focus()
      }}
      {...props}
    />
  )
}

interface ContentProps extends Omit<ComponentProps<typeof Radix.Content>, 'title'> {
  title: ReactNode
  description?: ReactNode
  /** Confirmations have no close button: one of their buttons must be chosen. */
  withoutCross?: boolean
  wide?: boolean | undefined
  /** False: it has entries of its own in the browser's history. */
  backCloses?: boolean
}

export function DialogContent({
  title,
  description,
  withoutCross,
  wide,
  backCloses = true,
  className,
  children,
  ...props
}: ContentProps) {
  return (
    <Radix.Portal>
      <Radix.Overlay className="fixed inset-0 z-50 bg-scrim data-[state=closed]:fade-out data-[state=open]:fade-in motion-safe:data-[state=closed]:animate-out motion-safe:data-[state=open]:animate-in" />
      <Content
        backCloses={backCloses}
        {...(description ? {} : { 'aria-describedby': undefined })}
        className={clsx(
          'fixed inset-x-0 bottom-0 z-50 flex max-h-[calc(100dvh-1.5rem)] flex-col overflow-hidden rounded-t-dialog border border-line bg-raised shadow-dialog outline-none',
          'md:inset-x-auto md:top-1/2 md:bottom-auto md:left-1/2 md:w-full md:-translate-1/2 md:rounded-dialog',
          'duration-(--slow) data-[state=closed]:duration-(--fast) data-[state=closed]:fade-out data-[state=open]:fade-in data-[state=open]:slide-in-from-bottom-1 motion-safe:data-[state=closed]:animate-out motion-safe:data-[state=open]:animate-in',
          wide ? 'md:max-w-[36rem]' : 'md:max-w-[30rem]',
          className,
        )}
        {...props}
      >
        <div className="flex items-start justify-between gap-4 px-6 pt-5">
          <Radix.Title className="min-w-0 type-h2 [overflow-wrap:anywhere]">{title}</Radix.Title>
          {!withoutCross && (
            <Radix.Close
              aria-label="Close"
              className="-mt-1.5 -mr-2 grid size-11 shrink-0 place-items-center rounded-control text-muted hover:bg-sunken hover:text-ink md:size-9"
            >
              <X aria-hidden className="size-5" />
            </Radix.Close>
          )}
        </div>
        {description && (
          <Radix.Description className="px-6 pt-1 text-ui [overflow-wrap:anywhere] text-muted">
            {description}
          </Radix.Description>
        )}
        <div className="grow overflow-y-auto overscroll-contain px-6 pt-4 pb-6">{children}</div>
      </Content>
    </Radix.Portal>
  )
}
