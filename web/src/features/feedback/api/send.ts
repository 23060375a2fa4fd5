/** Sends feedback, and notifies the admins (§3.38, §7.45-46). */
import { logError } from '@/lib/browser/log'
import { randomId } from '@/lib/browser/random-id'
import { supabase } from '@/lib/supabase/client'

export const categories = ['general', 'bug', 'feature', 'improvement', 'question', 'other'] as const
export type Category = (typeof categories)[number]

export interface FeedbackDraft {
  category: Category
  content: string
  name: string | null
  email: string | null
}

/** Only admins can read feedback, so the id is generated on the client. */
export async function sendFeedback(draft: FeedbackDraft): Promise<void> {
  const id = randomId()
  await supabase
    .from('feedback')
    .insert({ id, ...draft })
    .throwOnError()
  void notifyAdmins(id, draft)
}

async function notifyAdmins(id: string, { content, category, email }: FeedbackDraft): Promise<void> {
  const notification = {
    type: 'admin_feedback',
    title: 'New feedback',
    content: content.slice(0, 1_000),
    metadata: { id, category, email },
  }
  const answer = await supabase.functions.invoke<unknown>('send-notification-email', { body: { notification } })
  if (answer.error) logError('Failed to send notification email', answer.error)
}
