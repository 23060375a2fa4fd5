/** Sends a test notification over the chosen channels, and reports the result of each. */
import { useMutation } from '@tanstack/react-query'
import { isAlerting, isShown, preferenceOf, parseNotificationSettings } from '@/api/notifications/settings'
import { profileQuery } from '@/api/profiles/queries'
import { sendMail } from '@/features/admin-shared/api/send-mail'
import { failureToast } from '@/features/admin-shared/use-admin-action'
import { showToast } from '@/lib/toasts/toast'
import { insertNotification } from './api/mutations'
import { copy } from './copy'
import type { TestNotification } from './schema'

export interface Recipient {
  id: string
  email: string
  name: string
}

/** Types with a mail template of their own; the rest share one. */
const mailTypes = ['message', 'mention', 'reaction', 'connection', 'comment', 'system']

export function useTest(senderId: string) {
  return useMutation({
    mutationFn: async (
      { to, type, title, content, url, inApp, byMail }: TestNotification & { to: Recipient },
      { client },
    ) => {
      const profile = await client.fetchQuery({ ...profileQuery(to.id), staleTime: 0 })
      const settings = parseNotificationSettings(profile?.notification_settings)
      const key = preferenceOf(type)
      const metadata = { user_id: senderId, ...(url ? { url } : {}) }
      const results: string[] = []
      if (inApp) {
        const refused = await insertNotification({ user_id: to.id, type, title, content, metadata })
        if (refused) results.push(copy.refused(refused))
        else results.push(isAlerting(settings, key) ? copy.shown : isShown(settings, key) ? copy.silent : copy.hidden)
      }
      if (byMail) {
        const reason = await sendMail({
          notification: { type: mailTypes.includes(type) ? type : 'others', title, content, metadata },
          recipient: { email: to.email, full_name: to.name },
        })
        results.push(reason ? copy.notMailed(reason) : copy.mailed)
      }
      return results
    },
    onError: (cause) => showToast(failureToast(copy.failed, cause)),
  })
}
