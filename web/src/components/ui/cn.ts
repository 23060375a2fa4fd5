/**
 * Joins class names; of two that set the same property the last one wins, so that a caller can change a control. Not for
 * what the landing page draws first: there variants (cva) must do, and the 8 kB of tailwind-merge stay out.
 */
import clsx, { type ClassValue } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

/** The names of index.css, where they are not Tailwind's own. */
const merge = extendTailwindMerge({
  extend: {
    theme: {
      text: ['mark', 'label', 'small', 'ui', 'body', 'lead'],
      radius: ['tag', 'control', 'card', 'dialog'],
      shadow: ['pop', 'dialog'],
    },
  },
})

export const cn = (...classes: ClassValue[]) => merge(clsx(classes))
