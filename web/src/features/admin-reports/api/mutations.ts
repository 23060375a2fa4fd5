/** Decisions and answers to appeals. The database notifies; the mails are sent here, and a failed one changes nothing. */
import { sendMail } from '@/features/admin-shared/api/send-mail'
import { logError } from '@/lib/browser/log'
import { supabase } from '@/lib/supabase/client'
import type { Decision } from '../model'

async function tell(email: string, title: string, content: string, url: string): Promise<void> {
  const reason = await sendMail({
    notification: { type: 'system', title, content, metadata: { url } },
    recipient: { email },
  })
  if (reason) logError('The mail about a decision was not sent', reason)
}

export async function decide(kind: string, subject: string, { act, reason, days }: Decision): Promise<void> {
  const { data } = await supabase
    .rpc('decide_reports', { kind, subject, act, reason, ...(days === null ? {} : { days }) })
    .throwOnError()
  const told = data[0]
  if (!told) return
  if (told.member_email) await tell(told.member_email, told.title, told.content, told.url)
  for (const email of told.reporter_emails)
    await tell(
      email,
      'Your report was decided',
      'We looked at what you reported and decided. Thank you.',
      '/guidelines',
    )
}

export async function answerAppeal(id: string, granted: boolean, answer: string): Promise<void> {
  await supabase.rpc('answer_appeal', { decision_id: id, granted, answer }).throwOnError()
}
