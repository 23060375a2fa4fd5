/** /admin/notification-tester */
import { NotificationTag } from '@/features/notifications/components/notification-tag'
import { NotificationText } from '@/features/notifications/components/notification-text'
import { Tester } from '@/features/admin-notification-tester/components/tester'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title="Notification Tester" />
      <Tester
        renderNotice={({ title, content }) => (
          <div className="flex gap-3">
            <NotificationTag metadata={null} title={title} />
            <NotificationText
              notification={{ title, content, metadata: null, created_at: new Date().toISOString() }}
              now={new Date()}
              seen={false}
            />
          </div>
        )}
      />
    </>
  )
}
