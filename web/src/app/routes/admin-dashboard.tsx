/** /admin/dashboard */
import { Dashboard } from '@/features/admin-dashboard/components/dashboard'
import { usePageHead } from '@/lib/browser/page-head'

export function Component() {
  usePageHead({ title: 'Dashboard' })
  return <Dashboard />
}
