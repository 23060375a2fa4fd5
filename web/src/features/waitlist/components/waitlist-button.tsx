/** The button that opens the waitlist dialog; the dialog’s code loads on hover or focus. */
import { type ComponentProps, lazy, Suspense, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { importHandled } from '@/lib/browser/handled-import'

const load = () => import('./waitlist-dialog')
const WaitlistDialog = lazy(load)

interface Props extends Omit<ComponentProps<typeof Button>, 'onClick'> {
  /** Identifies the button when it is pressed before hydration (early-press.ts). */
  name: string
}

export function WaitlistButton({ name, ...props }: Props) {
  const [state, setState] = useState<'never' | 'open' | 'closed'>('never')
  const button = useRef<HTMLButtonElement>(null)
  const prepare = () => void importHandled(load).catch(() => undefined) // a click reports the failure
  return (
    <>
      <Button
        {...props}
        data-early={name}
        ref={button}
        aria-haspopup="dialog"
        onPointerEnter={prepare}
        onFocus={prepare}
        onClick={() => setState('open')}
      />
      {state !== 'never' && (
        <Suspense fallback={null}>
          <WaitlistDialog
            open={state === 'open'}
            onOpenChange={(open) => setState(open ? 'open' : 'closed')}
            onClosed={() => button.current?.focus()}
          />
        </Suspense>
      )}
    </>
  )
}
