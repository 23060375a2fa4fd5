/** The dialog to edit the member’s own profile. */
import { Pencil } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { GuardedDialog } from '@/components/ui/guarded-dialog'
import type { ProfilePage } from '../api/queries'
import { copy } from '../copy'
import { ProfileForm } from './profile-form'

export function EditProfile({ profile }: { profile: ProfilePage }) {
  return (
    <GuardedDialog
      title={copy.form.title}
      wide
      trigger={
        <Button variant="primary" className="max-md:grow">
          <Pencil aria-hidden /> {copy.edit}
        </Button>
      }
    >
      {(form) => <ProfileForm profile={profile} {...form} />}
    </GuardedDialog>
  )
}
