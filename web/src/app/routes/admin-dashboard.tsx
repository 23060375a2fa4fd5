/** /admin/dashboard */
import { Dashboard } from '@/features/admin/components/dashboard'
import { usePageHead } from '@/lib/head'

export function Component() {
  usePageHead({ title: 'Dashboard' })
  return <Dashboard />
}
