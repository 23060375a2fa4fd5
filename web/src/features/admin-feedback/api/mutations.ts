/** Changing the status of feedback, and answering it. */
import { requireRows } from '@/features/admin-shared/api/require-rows'
import { sendMail } from '@/features/admin-shared/api/send-mail'
import { supabase } from '@/lib/supabase/client'

export async function setFeedbackStatus(id: string, status: string): Promise<void> {
  const { data } = await supabase.from('feedback').update({ status }).eq('id', id).select('id').throwOnError()
  requireRows(data)
}

/** The account of an address may have no profile: then the functions service returns an error. */
export async function answerFeedback(email: string, title: string, content: string): Promise<void> {
  const reason = await sendMail({ notification: { type: 'system', title, content }, recipient: { email } })
  if (reason) throw new Error(reason)
}
