/** Copies a text, and says so in its own label. */
import { Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { logError } from '@/lib/browser/log'

export function CopyButton({ text, label, done }: { text: string; label: string; done: string }) {
  const [copied, setCopied] = useState(false)
  const copyText = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      (cause: unknown) => logError('The text could not be copied', cause),
    )
  return (
    <Button size="sm" onClick={() => void copyText()}>
      <Copy aria-hidden />
      <span aria-live="polite">{copied ? done : label}</span>
    </Button>
  )
}
