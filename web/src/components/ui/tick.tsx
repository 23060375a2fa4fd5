/** Whether a step is done: a mark beside its words, which say it too. */
import clsx from 'clsx'
import { Check } from 'lucide-react'

const looks = {
  open: 'border-line-strong',
  next: 'border-2 border-ember',
  done: 'border-transparent bg-success-soft text-success-text',
  lost: 'border-dashed border-destructive-text',
}

export function Tick({ state }: { state: keyof typeof looks }) {
  return (
    <span
      aria-hidden
      className={clsx('mt-0.5 grid size-6 shrink-0 place-items-center rounded-full border', looks[state])}
    >
      {state === 'done' && <Check className="size-4" />}
    </span>
  )
}
