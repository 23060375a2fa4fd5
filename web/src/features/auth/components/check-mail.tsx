/** Asks to confirm the e-mail address after registration. */
import { MailCheck } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { BusyButton } from '@/components/ui/button'
import { resendConfirmation } from '../api/auth'
import { copy } from '../copy'
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
    <div className="grid gap-4">
      <span aria-hidden className="grid size-13 place-items-center rounded-card bg-ember-soft text-ember-text">
        <MailCheck className="size-6" />
      </span>
      <h2 ref={title} tabIndex={-1} className="type-h2">
        {checkMail.title}
      </h2>
      <p className="[overflow-wrap:anywhere] text-muted">{checkMail.text(email)}</p>
      <CodeForm email={email} kind="signup" />
      {answer && <FormMessage tone={answer.tone}>{answer.text}</FormMessage>}
      <div>
        <BusyButton busy={busy} busyLabel={checkMail.sending} onClick={() => void again()}>
          {checkMail.again}
        </BusyButton>
      </div>
    </div>
  )
}
