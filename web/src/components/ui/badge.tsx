/** Small facts on a soft ground, and counts. */
import clsx from 'clsx'
import type { ComponentProps } from 'react'

const variants = {
  general: 'bg-kind-general-soft text-kind-general',
  lesson: 'bg-kind-lesson-soft text-kind-lesson',
  training: 'bg-kind-training-soft text-kind-training',
  project: 'bg-kind-project-soft text-kind-project',
  question: 'bg-kind-question-soft text-kind-question',
  success: 'bg-success-soft text-success-text',
  warning: 'bg-warning-soft text-warning-text',
  info: 'bg-info-soft text-info-text',
  destructive: 'bg-destructive-soft text-destructive-text',
  ember: 'bg-ember-soft text-ember-text',
} as const

export type BadgeVariant = keyof typeof variants

export function Badge({
  variant = 'general',
  className,
  ...props
}: ComponentProps<'span'> & { variant?: BadgeVariant }) {
  return (
    <span
      data-slot="badge"
      className={clsx(
        'inline-flex h-6 items-center gap-1.5 rounded-tag px-2 text-label font-semibold whitespace-nowrap [&_svg]:size-3.5',
        variants[variant],
        className,
      )}
      {...props}
    />
  )
}

/** A number that asks for action. `what` is read out with it ("3 waiting"). */
export function Count({
  value,
  what,
  onBar = false,
  className,
}: {
  value: number
  what: string
  onBar?: boolean
  className?: string
}) {
  if (value <= 0) return null
  return (
    <span
      data-slot="count"
      className={clsx(
        'inline-grid h-5 min-w-5 place-items-center rounded-full px-1.5 text-mark leading-none font-bold tabular-nums',
        onBar ? 'bg-bar-ember text-bar-ember-on' : 'bg-ember text-ember-on',
        className,
      )}
    >
      <span aria-hidden>{value > 99 ? '99+' : value}</span>
      <span className="sr-only">
        {value.toLocaleString('en-US')} {what}
      </span>
    </span>
  )
}
