/** /settings/notifications : what may ring. */
import { NotificationSettingsForm } from '@/features/settings/components/notification-settings'
import { SettingsFrame } from '@/features/settings/components/settings-frame'
import { copy } from '@/features/settings/copy'
import { usePageHead } from '@/lib/browser/page-head'

export function Component() {
  usePageHead({ title: copy.notifications.title })
  return (
    <SettingsFrame>
      <NotificationSettingsForm />
    </SettingsFrame>
  )
}
