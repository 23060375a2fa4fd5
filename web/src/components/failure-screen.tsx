/** A full-screen error with the available actions: for error boundaries, without any provider. */
import type { ReactNode } from 'react'
import { Mark } from '@/components/ui/brand'

export function FailureScreen({ title, message, children }: { title: string; message: string; children: ReactNode }) {
  return (
    <main data-slot="failure" className="grid min-h-dvh place-items-center px-6 py-12">
      <div role="alert" className="grid max-w-[30rem] justify-items-start gap-4">
        <Mark className="mb-2 size-10" />
        <h1 className="type-h1">{title}</h1>
        <p className="max-w-[62ch] [overflow-wrap:anywhere] text-muted">{message}</p>
        <div className="mt-2 flex flex-wrap gap-3">{children}</div>
      </div>
    </main>
  )
}
