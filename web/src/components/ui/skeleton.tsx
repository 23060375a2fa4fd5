/** The boxes of what is coming. */
import clsx from 'clsx'
import { type ReactNode, useEffect, useState } from 'react'

export function Bone({ className }: { className?: string }) {
  return <span data-slot="bone" aria-hidden className={clsx('block bone', className)} />
}

/** Wraps skeletons: says once that something loads, and after 10 s that it takes long. */
export function Loading({ label, className, children }: { label: string; className?: string; children: ReactNode }) {
  const [long, setLong] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setLong(true), 10_000)
    return () => window.clearTimeout(timer)
  }, [])
  return (
    <div data-slot="loading" aria-busy="true" className={className}>
      <p role="status" className={clsx(long ? 'col-span-full mb-3 text-small text-muted' : 'sr-only')}>
        {long ? `${label} This takes longer than usual.` : label}
      </p>
      {children}
    </div>
  )
}
