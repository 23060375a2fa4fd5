/** /admin/notification-tester */
import { NotificationTag } from '@/features/notifications/components/notification-tag'
import { NotificationText } from '@/features/notifications/components/notification-text'
import { Tester } from '@/features/admin-notification-tester/components/tester'
import { DocumentHead } from '@/components/document-head'
import { useNow } from '@/lib/browser/use-now'

export function Component() {
  const now = useNow()
  return (
    <>
      <DocumentHead title="Notification Tester" />
      <Tester
        renderNotice={({ title, content }) => (
          <div className="flex gap-3">
            <NotificationTag metadata={null} title={title} />
            <NotificationText
              notification={{ title, content, metadata: null, created_at: now.toISOString() }}
              now={now}
              seen={false}
            />
          </div>
        )}
      />
    </>
  )
}
