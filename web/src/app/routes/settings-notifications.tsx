/** /settings/notifications : notification preferences. */
import { NotificationSettingsForm } from '@/features/settings/components/notification-settings'
import { SettingsFrame } from '@/features/settings/components/settings-frame'
import { copy } from '@/features/settings/copy'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title={copy.notifications.title} />
      <SettingsFrame>
        <NotificationSettingsForm />
      </SettingsFrame>
    </>
  )
}
