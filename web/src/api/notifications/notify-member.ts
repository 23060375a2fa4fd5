/** Notifies another member of an event: in the application and, where they want it, by e-mail (§7.8, §7.14, §7.42-46). */
import { logError } from '@/lib/browser/log'
import { randomId } from '@/lib/browser/random-id'
import { supabase } from '@/lib/supabase/client'
import { isShown, type MemberKind, parseNotificationSettings, preferenceOf, wantsEmail } from './settings'

export interface MemberNotification {
  /** Of the notification; the same for another attempt. */
  id?: string
  recipientId: string
  type: MemberKind
  /** A sentence that starts with the actor's name. */
  title: string
  content: string
  referenceId: string
  /** A path in this application. */
  url: string
  actorId: string
  /** Identifies the event for the mail service: { message_id } and the like. */
  event: Record<string, string>
}

/** Maximum length including the ellipsis: the size of the column. */
const truncateTo = (text: string, most: number) =>
  Array.from(text).length <= most
    ? text
    : `${Array.from(text)
        .slice(0, most - 1)
        .join('')}…`

async function insertNotification(notification: MemberNotification, metadata: Record<string, string>): Promise<void> {
  const { error } = await supabase.from('notifications').insert({
    id: notification.id ?? randomId(),
    user_id: notification.recipientId,
    type: notification.type,
    title: truncateTo(notification.title, 200),
    content: truncateTo(notification.content, 300),
    reference_id: notification.referenceId,
    metadata,
    seen: false,
  })
  if (error && error.code !== '23505') logError('The notification could not be written', error.message)
}

async function sendMail(
  notification: MemberNotification,
  metadata: Record<string, string>,
  recipient: { email: string; full_name: string | null },
): Promise<void> {
  const type = notification.type === 'comment' ? 'others' : notification.type
  const [title, content] = [truncateTo(notification.title, 200), truncateTo(notification.content, 1000)]
  const answer = await supabase.functions.invoke<{ success: boolean }>('send-notification-email', {
    body: { notification: { type, title, content, metadata }, recipient },
  })
  if (answer.error) logError('Failed to send notification email', answer.error) // §7.46, §8.17: logged, never blocking
}

/** Never throws and never blocks the action it reports. */
export async function notifyMember(notification: MemberNotification): Promise<void> {
  if (notification.recipientId === notification.actorId) return
  try {
    const { data: recipient } = await supabase
      .from('profiles')
      .select('notification_settings, full_name, email')
      .eq('id', notification.recipientId)
      .maybeSingle()
      .throwOnError()
    const settings = parseNotificationSettings(recipient?.notification_settings)
    const key = preferenceOf(notification.type)
    const metadata = { ...notification.event, user_id: notification.actorId, url: notification.url }
    if (isShown(settings, key)) await insertNotification(notification, metadata)
    // Saves a request when the member turned e-mail off; functions.accept_mail makes the actual decision.
    if (recipient?.email && wantsEmail(settings, key)) {
      await sendMail(notification, metadata, { email: recipient.email, full_name: recipient.full_name })
    }
  } catch (cause) {
    logError('A member could not be notified', cause)
  }
}
