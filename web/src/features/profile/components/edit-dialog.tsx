/** The dialog to edit the member’s own profile; `?edit` in the address opens it, `?edit=department` at that field. */
import { Pencil } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { Button } from '@/components/ui/button'
import { GuardedDialog } from '@/components/ui/guarded-dialog'
import type { ProfilePage } from '../api/queries'
import { copy } from '../copy'
import { ProfileForm } from './profile-form'

const parameter = 'edit'

export function EditProfile({ profile }: { profile: ProfilePage }) {
  const [params, setParams] = useSearchParams()
  const asked = params.has(parameter)
  const [open, setOpen] = useState(asked)
  // The address changes once the form is gone: until then it guards what is not saved.
  useEffect(() => {
    if (open || !asked) return
    setParams(
      (now) => {
        now.delete(parameter)
        return now
      },
      { replace: true },
    )
  }, [open, asked, setParams])
  return (
    <GuardedDialog
      title={copy.form.title}
      wide
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button className="max-md:grow">
          <Pencil aria-hidden /> {copy.edit}
        </Button>
      }
    >
      {(form) => <ProfileForm profile={profile} focus={params.get(parameter)} {...form} />}
    </GuardedDialog>
  )
}

/** The same dialog, from the card of the text. */
export function EditAbout({ profile }: { profile: ProfilePage }) {
  return (
    <GuardedDialog
      title={copy.form.title}
      wide
      trigger={
        <Button variant="quiet" size="sm" className="-mr-3">
          {copy.editCard}
          <span className="sr-only"> {copy.about}</span>
        </Button>
      }
    >
      {(form) => <ProfileForm profile={profile} focus="bio" {...form} />}
    </GuardedDialog>
  )
}
