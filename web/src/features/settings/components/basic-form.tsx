/** Name and department. */
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { profileQuery } from '@/api/profiles/queries'
import { useUpdateProfile } from '@/api/profiles/use-update-profile'
import { useMemberId } from '@/api/session/auth-context'
import { BusyButton } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import { focusFirstInvalid } from '@/lib/focus/focus-first-invalid'
import { showToast } from '@/lib/toasts/toast'
import { copy } from '../copy'
import { Section } from './section'
import { SettingsSkeleton, SettingsUnreadable } from './settings-frame'

const words = copy.basic

function Form({ name, department }: { name: string; department: string }) {
  const update = useUpdateProfile()
  const [typedName, setName] = useState(name)
  const [typedDepartment, setDepartment] = useState(department)
  const [error, setError] = useState<string | null>(null)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (update.isPending) return
    const missing = typedName.trim() === ''
    setError(missing ? words.nameMissing : null)
    if (missing) return focusFirstInvalid(event.currentTarget)
    update.mutate(
      { full_name: typedName.trim(), department: typedDepartment.trim() || null },
      { onSuccess: () => showToast(words.saved), onError: () => showToast(words.failed) },
    )
  }
  return (
    <form noValidate onSubmit={submit} className="grid gap-4">
      <TextField
        label={words.name}
        error={error}
        autoComplete="name"
        maxLength={120}
        value={typedName}
        onValue={setName}
      />
      <TextField
        label={words.department}
        autoComplete="organization"
        maxLength={160}
        value={typedDepartment}
        onValue={setDepartment}
      />
      <BusyButton
        type="submit"
        variant="primary"
        className="justify-self-start"
        busy={update.isPending}
        busyLabel={copy.saving}
      >
        {copy.save}
      </BusyButton>
    </form>
  )
}

export function BasicForm() {
  const profile = useQuery(profileQuery(useMemberId()))
  if (profile.isPending) return <SettingsSkeleton />
  if (!profile.data) return <SettingsUnreadable onRetry={() => void profile.refetch()} />
  return (
    <Section title={words.about}>
      <Form name={profile.data.full_name ?? ''} department={profile.data.department ?? ''} />
    </Section>
  )
}
