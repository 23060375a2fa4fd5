/** A full-screen error with the available actions: for error boundaries, without any provider. */
import clsx from 'clsx'
import type { ReactNode } from 'react'
import { LostArt } from '@/components/art/lost-art'
import { Mark } from '@/components/ui/brand'

interface Props {
  title: string
  message: string
  /** Whether a layout surrounds it, which has the document's main element. */
  inLayout?: boolean
  children: ReactNode
}

export function FailureScreen({ title, message, inLayout = false, children }: Props) {
  const Frame = inLayout ? 'div' : 'main'
  return (
    <Frame
      data-slot="failure"
      className={clsx(
        'page grid content-center gap-8 py-8 md:grid-cols-2 md:items-center md:gap-16 [main.page_&]:px-0',
        inLayout ? 'grow' : 'min-h-dvh',
      )}
    >
      <title>{`${title} | Muster`}</title>
      <LostArt />
      <div role="alert" className="grid max-w-[30rem] justify-items-start gap-4">
        {!inLayout && <Mark className="mb-2 size-10" />}
        <h1 className="type-h1">{title}</h1>
        <p className="max-w-[62ch] [overflow-wrap:anywhere] text-muted">{message}</p>
        <div className="mt-2 flex flex-wrap gap-3">{children}</div>
      </div>
    </Frame>
  )
}
