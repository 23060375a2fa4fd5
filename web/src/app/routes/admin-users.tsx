/** /admin/users */
import { UsersPage } from '@/features/admin/components/users-page'
import { usePageHead } from '@/lib/head'

export function Component() {
  usePageHead({ title: 'Users' })
  return <UsersPage />
}
