/** Renders the toasts of `showToast`: 3 visible, Alt+T (§9.30), for 5 s (§9.27); 5 kept at most (§9.29). */
import { Check, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Toaster as Sonner, toast as sonner } from 'sonner'
import clsx from 'clsx'
import { limits } from '@/config/limits'
import { placeOfToast } from '@/lib/toasts/place'
import { attachSink, type Toast } from '@/lib/toasts/toast'
import { ToastStore } from '@/lib/toasts/toast-store'
import { Avatar } from './avatar'
import { Mark } from './brand'

function Icon({ variant, refused, person }: Pick<Toast, 'variant' | 'refused' | 'person'>) {
  if (person) return <Avatar memberId={person.id} name={person.name} size="sm" />
  if (variant === 'destructive') return <TriangleAlert aria-hidden className="size-5 text-destructive-text" />
  if (variant === 'mention') return <Mark className="size-5" />
  if (refused) return <Info aria-hidden className="size-5" />
  return <Check aria-hidden className="size-5" />
}

function ToastCard({ toast, close }: { toast: Toast; close: () => void }) {
  const { variant = 'default', title, description, action } = toast
  return (
    <div
      data-slot="toast"
      data-variant={variant}
      className={clsx(
        'grid w-full grid-cols-[auto_1fr_auto] items-start gap-3 rounded-card border px-4 py-3 text-ui text-ink shadow-pop md:w-[22.5rem]',
        variant === 'destructive' &&
          'border-[color-mix(in_oklab,var(--destructive-text)_45%,transparent)] bg-destructive-soft',
        variant === 'mention' && 'border-t-[3px] border-ember-line border-t-ember bg-raised',
        variant === 'default' && 'border-line bg-raised',
      )}
    >
      <Icon variant={variant} refused={toast.refused} person={toast.person} />
      <div className="min-w-0">
        <p className={clsx('type-name', variant === 'destructive' && 'text-destructive-text')}>{title}</p>
        {description && <p className="mt-0.5 line-clamp-5">{description}</p>}
        {action && (
          <button
            type="button"
            className="mt-1 link-inline"
            onClick={() => {
              close()
              action.run()
            }}
          >
            {action.label}
          </button>
        )}
      </div>
      <button
        type="button"
        aria-label="Dismiss"
        className="-my-1 -mr-2 grid size-8 place-items-center rounded-control text-muted hover:text-ink"
        onClick={close}
      >
        <X aria-hidden className="size-4" />
      </button>
    </div>
  )
}

const isHere = (...slots: string[]) => slots.some((slot) => document.querySelector(`[data-slot="${slot}"]`) !== null)

function place() {
  const { innerWidth: width, innerHeight: height } = window
  const box = document.activeElement?.getBoundingClientRect()
  return placeOfToast({
    width,
    height,
    focus: box && box.height < height / 2 ? box : null, // larger: the page itself, which has the focus after a link
    hasFoot: isHere('dialog', 'sticky-actions'),
    hasComposer: isHere('composer', 'thread'),
  })
}

export default function Toaster() {
  const [store] = useState(() => new ToastStore())
  useEffect(
    () =>
      attachSink((toast) => {
        const id = sonner.custom((own) => <ToastCard toast={toast} close={() => sonner.dismiss(own)} />, {
          ...(toast.id ? { id: toast.id } : {}),
          position: place(),
          duration: toast.durationMs ?? limits.toastMs,
          onDismiss: (gone) => store.dismissed(gone.id),
          onAutoClose: (gone) => store.dismissed(gone.id),
        })
        store.add(id).forEach((oldest) => sonner.dismiss(oldest))
      }),
    [store],
  )
  return (
    <Sonner
      position="bottom-right"
      visibleToasts={limits.toastsVisible}
      duration={limits.toasterDefaultMs}
      hotkey={['altKey', 'KeyT']}
      gap={8}
      offset={{ top: 'calc(var(--bar-height) + 12px)', bottom: 'calc(24px + var(--toast-lift))', right: 24 }}
      mobileOffset={{
        top: 'calc(env(safe-area-inset-top) + var(--toast-drop))',
        bottom: 'calc(max(var(--dock-height), var(--toast-lift)) + env(safe-area-inset-bottom) + 12px)',
        left: 12,
        right: 12,
      }}
      style={{ fontFamily: 'inherit' }}
      toastOptions={{ unstyled: true, className: 'w-full' }}
    />
  )
}
