/** The page that asks to confirm the e-mail address after registration. */
import { useEffect, useRef, useState } from 'react'
import { BusyButton } from '@/components/ui/button'
import { resendConfirmation } from '../api/auth'
import { copy } from '../copy'
import { AuthFrame } from './auth-frame'
import { CodeForm } from './code-form'
import { FormMessage } from './form-message'

export function CheckMail({ email, next }: { email: string; next: string }) {
  const title = useRef<HTMLHeadingElement>(null)
  const [busy, setBusy] = useState(false)
  const [answer, setAnswer] = useState<{ tone: 'error' | 'done'; text: string } | null>(null)
  useEffect(() => title.current?.focus(), [])
  const { checkMail } = copy.register

  const again = async () => {
    setBusy(true)
    const message = await resendConfirmation(email, next)
    setBusy(false)
    setAnswer(message ? { tone: 'error', text: message } : { tone: 'done', text: checkMail.sent })
  }

  return (
    <AuthFrame title={checkMail.title} lead={checkMail.text(email)} heading={title}>
      <div className="grid gap-3">
        <CodeForm email={email} kind="signup" />
        {answer && <FormMessage tone={answer.tone}>{answer.text}</FormMessage>}
        <BusyButton size="lg" block busy={busy} busyLabel={checkMail.sending} onClick={() => void again()}>
          {checkMail.again}
        </BusyButton>
      </div>
    </AuthFrame>
  )
}
