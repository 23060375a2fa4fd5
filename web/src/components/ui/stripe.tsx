/** Progress through a number of steps, as slanted segments. */
import clsx from 'clsx'

export function Stripe({
  value,
  of,
  label,
  from = 1,
  className,
}: {
  value: number
  of: number
  label: string
  /** The least that `value` may be. */
  from?: 0 | 1
  className?: string
}) {
  return (
    <div
      data-slot="stripe"
      role="progressbar"
      aria-label={label}
      aria-valuemin={from}
      aria-valuemax={of}
      aria-valuenow={value}
      className={clsx('flex h-2 gap-1 overflow-hidden', className)}
    >
      {Array.from({ length: of }, (_, step) => (
        <i
          key={step}
          className={clsx('flex-1 slant transition-colors duration-(--slow)', step < value ? 'bg-ember' : 'bg-line')}
        />
      ))}
    </div>
  )
}
