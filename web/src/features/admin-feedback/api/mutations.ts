/** Changing the status of feedback, and answering it. */
import { requireRows } from '@/features/admin-shared/api/require-rows'
import { sendMail } from '@/features/admin-shared/api/send-mail'
import { supabase } from '@/lib/supabase/client'

export async function setFeedbackStatus(id: string, status: string): Promise<void> {
  const { data } = await supabase.from('feedback').update({ status }).eq('id', id).select('id').throwOnError()
  requireRows(data)
}

/** Keeps the answer for all admins, and mails it to the address that came with the feedback, account or not. */
export async function answerFeedback(feedback: { id: string; email: string }, content: string): Promise<void> {
  const { data } = await supabase
    .from('feedback_answers')
    .insert({ feedback_id: feedback.id, content })
    .select('id')
    .single()
    .throwOnError()
  const reason = await sendMail({
    notification: { type: 'feedback_answer', title: '', content: '', metadata: { feedback_answer_id: data.id } },
    recipient: { email: feedback.email },
  })
  if (reason) throw new Error(reason)
}
