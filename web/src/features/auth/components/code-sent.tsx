/** After an e-mail with a link was requested: says where it went, and takes its code. */
import { useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'
import type { CodeKind } from '../api/auth'
import { copy } from '../copy'
import { CodeForm } from './code-form'
import { FormMessage } from './form-message'

interface Props {
  /** What was sent, and to whom. */
  sent: string
  email: string
  kind: CodeKind
  onEntered?: () => void
  onAnother: () => void
}

export function CodeSent({ sent, email, kind, onEntered, onAnother }: Props) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.querySelector('input')?.focus(), [])
  return (
    <div ref={box} className="grid gap-3 [overflow-wrap:anywhere]">
      <FormMessage tone="done">{sent}</FormMessage>
      <CodeForm email={email} kind={kind} {...(onEntered && { onEntered })} />
      <Button size="lg" block onClick={onAnother}>
        {copy.code.another}
      </Button>
    </div>
  )
}
