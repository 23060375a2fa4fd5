/**
 * Joins class names; of two that set the same property the last one wins, so that a caller can override a style. Not for
 * the landing page's first paint: there variants (cva) suffice, and the 8 kB of tailwind-merge are not loaded.
 */
import clsx, { type ClassValue } from 'clsx'
import { extendTailwindMerge } from 'tailwind-merge'

/** The custom class names of index.css. */
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
