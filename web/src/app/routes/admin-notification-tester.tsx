/** /admin/notification-tester */
import { Tester } from '@/features/admin-notification-tester/components/tester'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title="Notification Tester" />
      <Tester />
    </>
  )
}
