/** Tells another member of what one did: in the application and, where they want it, by e-mail (§7.8, §7.14, §7.42-46). */
import { isShown, kindOfType, parseNotificationSettings, wantsEmail } from '@/api/profiles/notification-settings'
import { logError } from '@/lib/browser/log'
import { randomId } from '@/lib/browser/random-id'
import { supabase } from '@/lib/supabase/client'

export interface Tidings {
  recipientId: string
  type: 'connection' | 'message' | 'mention' | 'comment' | 'reaction'
  /** A sentence that begins with the actor's name. */
  title: string
  content: string
  referenceId: string
  /** A path of this application. */
  url: string
  actorId: string
  /** Names the deed for the mail service: { message_id } and the like. */
  deed: Record<string, string>
}

const short = (text: string, most: number) =>
  Array.from(text).length <= most
    ? text
    : `${Array.from(text)
        .slice(0, most - 1)
        .join('')}…`

async function insertNotice(tidings: Tidings, metadata: Record<string, string>): Promise<void> {
  const { error } = await supabase.from('notifications').insert({
    id: randomId(),
    user_id: tidings.recipientId,
    type: tidings.type,
    title: short(tidings.title, 200),
    content: short(tidings.content, 300),
    reference_id: tidings.referenceId,
    metadata,
    seen: false,
  })
  if (error) logError('The notification could not be written', error.message)
}

async function sendMail(
  tidings: Tidings,
  metadata: Record<string, string>,
  recipient: { email: string; full_name: string | null },
): Promise<void> {
  const type = tidings.type === 'comment' ? 'others' : tidings.type
  const notification = { type, title: short(tidings.title, 200), content: short(tidings.content, 1000), metadata }
  const answer = await supabase.functions.invoke<{ success: boolean }>('send-notification-email', {
    body: { notification, recipient },
  })
  if (answer.error) logError('Failed to send notification email', answer.error) // §7.46, §8.17: logged, never in the way
}

/** Never throws, never blocks what it tells of. */
export async function tellMember(tidings: Tidings): Promise<void> {
  if (tidings.recipientId === tidings.actorId) return
  try {
    const { data: recipient } = await supabase
      .from('profiles')
      .select('notification_settings, full_name, email')
      .eq('id', tidings.recipientId)
      .maybeSingle()
      .throwOnError()
    const settings = parseNotificationSettings(recipient?.notification_settings)
    const kind = kindOfType(tidings.type)
    const metadata = { ...tidings.deed, user_id: tidings.actorId, url: tidings.url }
    if (isShown(settings, kind)) await insertNotice(tidings, metadata)
    if (recipient?.email && wantsEmail(settings, kind)) {
      await sendMail(tidings, metadata, { email: recipient.email, full_name: recipient.full_name })
    }
  } catch (cause) {
    logError('A member could not be notified', cause)
  }
}
