/** /admin/notification-tester */
import { Tester } from '@/features/admin-notification-tester/components/tester'
import { usePageHead } from '@/lib/browser/page-head'

export function Component() {
  usePageHead({ title: 'Notification Tester' })
  return <Tester />
}
