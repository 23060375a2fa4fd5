/** Instead of the member or admin area, until the second factor is given (§15.2, §15.3). */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { DocumentHead } from '@/components/document-head'
import { Button } from '@/components/ui/button'
import { Mark } from '@/components/ui/brand'
import { copy } from '../copy'
import { SecondFactorForm } from './second-factor-form'

interface Props {
  factors: readonly { id: string; factor_type: string }[]
  lead: string
  onSignOut: () => void
}

export default function SecondFactorScreen({ factors, lead, onSignOut }: Props) {
  const queryClient = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <main id="main" className="grid min-h-dvh place-items-center px-6 py-12">
      <DocumentHead title={copy.prompt.title} />
      <div className="grid w-full max-w-[26rem] gap-4">
        <Mark className="mb-2 size-10" />
        <h1 ref={heading} tabIndex={-1} className="type-h1 outline-none">
          {copy.prompt.title}
        </h1>
        <p className="text-muted">{lead}</p>
        <SecondFactorForm factors={factors} onDone={() => void queryClient.invalidateQueries()} />
        <p className="mt-4 text-small text-muted">{copy.prompt.lost}</p>
        <Button className="justify-self-start" onClick={onSignOut}>
          {copy.prompt.signOut}
        </Button>
      </div>
    </main>
  )
}
