/** Badges, and counts on icons and tabs. */
import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'

const badge = cva(
  'inline-flex h-6 items-center gap-1.5 rounded-tag px-2 text-label font-semibold whitespace-nowrap [&_svg]:size-3.5',
  {
    variants: {
      variant: {
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
      },
    },
    defaultVariants: { variant: 'general' },
  },
)

export type BadgeVariant = NonNullable<VariantProps<typeof badge>['variant']>

export function Badge({ variant, className, ...props }: ComponentProps<'span'> & VariantProps<typeof badge>) {
  return <span data-slot="badge" className={badge({ variant, className })} {...props} />
}

const count = cva('inline-grid place-items-center rounded-full text-mark leading-none font-bold tabular-nums', {
  variants: {
    onBar: { true: 'bg-bar-ember text-bar-ember-on', false: 'bg-ember text-ember-on' },
    /** `sm` is placed on the corner of an icon. */
    size: { md: 'h-5 min-w-5 px-1.5', sm: 'h-4.5 min-w-4.5 px-1' },
  },
  defaultVariants: { onBar: false, size: 'md' },
})

/** A count that calls for action. `what` is read out with it ("3 waiting"). */
interface CountProps extends VariantProps<typeof count> {
  value: number
  what: string
  className?: string
}

export function Count({ value, what, onBar, size, className }: CountProps) {
  if (value <= 0) return null
  return (
    <span data-slot="count" className={count({ onBar, size, className })}>
      <span aria-hidden>{value > 99 ? '99+' : value}</span>
      <span className="sr-only">
        {value.toLocaleString('en-US')} {what}
      </span>
    </span>
  )
}
