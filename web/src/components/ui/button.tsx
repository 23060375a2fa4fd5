/** Buttons, and links that look like them. */
import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { Link } from 'react-router-dom'

const button = cva(
  [
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-control border type-control no-underline transition-colors select-none',
    'disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-muted aria-disabled:cursor-not-allowed aria-disabled:border-line aria-disabled:bg-sunken aria-disabled:text-muted',
    '[&_svg]:shrink-0',
  ],
  {
    variants: {
      variant: {
        primary: 'border-transparent bg-ember text-ember-on hover:bg-ember-hover',
        line: 'border-line-strong bg-surface text-ink hover:bg-sunken',
        quiet: 'border-transparent text-ink hover:bg-sunken',
        danger: 'border-transparent bg-destructive text-destructive-on hover:bg-destructive-hover',
        'danger-line': 'border-current bg-surface text-destructive-text hover:bg-destructive-soft',
        'danger-quiet': 'border-transparent text-destructive-text hover:bg-destructive-soft',
        'bar-primary': 'border-transparent bg-bar-ember text-bar-ember-on hover:brightness-110',
        'bar-line': 'border-[oklch(0.62_0.012_70)] text-bar-text hover:bg-bar-hover',
        'bar-quiet': 'border-transparent text-bar-text hover:bg-bar-hover',
      },
      size: {
        sm: 'h-9 px-3 text-small whitespace-nowrap md:h-8 [&_svg]:size-4',
        md: 'h-11 px-4 whitespace-nowrap md:h-10 [&_svg]:size-4.5',
        // Wide ones break their lines rather than leave a phone whose letters are large.
        lg: 'min-h-13 max-w-full py-1 text-body md:min-h-12 [&_svg]:size-5',
        /** The primary call to action of a page. */
        hero: 'min-h-13 max-w-full px-7 py-1 text-body font-bold tracking-[0.02em] uppercase font-stretch-expanded md:min-h-12 [&_svg]:size-5',
        icon: 'size-11 md:size-10 [&_svg]:size-5',
        'icon-sm': 'size-9 md:size-8 [&_svg]:size-4',
      },
      /** Full width of its parent. */
      block: { true: 'w-full', false: null },
    },
    compoundVariants: [
      { size: 'lg', variant: 'quiet', class: 'px-4' }, // without a background or border to keep a distance from
      { size: 'lg', variant: ['primary', 'line', 'danger', 'danger-line', 'bar-primary', 'bar-line'], class: 'px-6' },
    ],
    defaultVariants: { variant: 'line', size: 'md', block: false },
  },
)

type Look = VariantProps<typeof button>

type ButtonProps = ComponentProps<'button'> & Look

export function Button({ variant, size, block, className, type = 'button', ...props }: ButtonProps) {
  return <button data-slot="button" type={type} className={button({ variant, size, block, className })} {...props} />
}

type LinkButtonProps = ComponentProps<typeof Link> & Look

export function LinkButton({ variant, size, block, className, ...props }: LinkButtonProps) {
  return <Link data-slot="button" className={button({ variant, size, block, className })} {...props} />
}

/** A button with a pending state: its label shows it, a second press does nothing, focus stays. */
export function BusyButton({
  busy,
  busyLabel,
  children,
  onClick,
  ...props
}: ButtonProps & { busy: boolean; busyLabel: string }) {
  return (
    <Button
      aria-disabled={busy}
      onClick={(event) => {
        if (busy) event.preventDefault()
        else onClick?.(event)
      }}
      {...props}
    >
      {busy ? busyLabel : children}
    </Button>
  )
}
