/** /admin/notification-tester */
import { Tester } from '@/features/admin/components/tester'
import { usePageHead } from '@/lib/head'

export function Component() {
  usePageHead({ title: 'Notification Tester' })
  return <Tester />
}
