/** The logo and the wordmark. */
import clsx from 'clsx'

export function Mark({ className, onBar = false }: { className?: string; onBar?: boolean }) {
  return (
    <svg viewBox="0 0 32 32" fill="currentColor" aria-hidden className={clsx('shrink-0', className)}>
      <path d="M2 3h8l6 6.2L22 3h8L16 17.5z" fill={onBar ? 'var(--bar-ember)' : 'var(--ember)'} />
      <path d="M2 7v21h6.5V13.7zM30 7v21h-6.5V13.7zM11.5 17.2V28h9V17.2L16 21.8z" />
    </svg>
  )
}

export function Lockup({ onBar = false }: { onBar?: boolean }) {
  return (
    <span className="inline-flex items-center gap-[0.6rem]">
      <Mark onBar={onBar} className="size-[1.625rem]" />
      {/* Gone only where letters are set very large on a phone. */}
      <b className="text-[1.1875rem] font-[760] tracking-[-0.02em] font-stretch-expanded max-[18rem]:sr-only">Muster</b>
    </span>
  )
}
