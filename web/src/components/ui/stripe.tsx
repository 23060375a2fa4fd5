/** Progress through a number of steps, as slanted segments. */
import clsx from 'clsx'

export function Stripe({
  value,
  of,
  label,
  className,
}: {
  value: number
  of: number
  label: string
  className?: string
}) {
  return (
    <div
      data-slot="stripe"
      role="progressbar"
      aria-label={label}
      aria-valuemin={1}
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
