/** /admin/users */
import { UsersPage } from '@/features/admin-members/components/users-page'
import { usePageHead } from '@/lib/browser/page-head'

export function Component() {
  usePageHead({ title: 'Users' })
  return <UsersPage />
}
