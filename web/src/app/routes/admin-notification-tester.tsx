/** /admin/notification-tester */
import { Tester } from '@/features/admin/components/tester'
import { usePageHead } from '@/lib/browser/page-head'

export function Component() {
  usePageHead({ title: 'Notification Tester' })
  return <Tester />
}
