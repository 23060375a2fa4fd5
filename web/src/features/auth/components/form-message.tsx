/** The result of a form: an error, or what happens next. */
import clsx from 'clsx'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

export function FormMessage({ tone, children }: { tone: 'error' | 'done'; children: ReactNode }) {
  const Icon = tone === 'error' ? TriangleAlert : CircleCheck
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={clsx(
        'mb-6 grid grid-cols-[auto_1fr] gap-3 rounded-card border px-4 py-3 text-ui',
        tone === 'error'
          ? 'border-[color-mix(in_oklab,var(--destructive-text)_45%,transparent)] bg-destructive-soft text-destructive-text'
          : 'border-transparent bg-success-soft text-success-text',
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-5" />
      <div>{children}</div>
    </div>
  )
}
