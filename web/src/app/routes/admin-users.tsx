/** /admin/users */
import { UsersPage } from '@/features/admin-members/components/users-page'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title="Users" />
      <UsersPage />
    </>
  )
}
