/** Name and department. */
import { useQuery } from '@tanstack/react-query'
import { profileQuery } from '@/api/profiles/queries'
import { useUpdateProfile } from '@/api/profiles/use-update-profile'
import { useMemberId } from '@/api/session/auth-context'
import { BusyButton } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { showToast } from '@/lib/toasts/toast'
import { copy } from '../copy'
import { basicSchema } from '../schemas'
import { Section } from './section'
import { SettingsSkeleton, SettingsUnreadable } from './settings-frame'

function Form({ name, department }: { name: string; department: string }) {
  const update = useUpdateProfile()
  const { register, handleSubmit, formState } = useZodForm(basicSchema, {
    defaultValues: { full_name: name, department },
  })
  const submit = handleSubmit((values) => {
    if (update.isPending) return
    update.mutate(values, { onSuccess: () => showToast(copy.basic.saved), onError: () => showToast(copy.basic.failed) })
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-4">
      <TextField
        label={copy.basic.name}
        error={formState.errors.full_name?.message}
        autoComplete="name"
        maxLength={120}
        {...register('full_name')}
      />
      <TextField
        label={copy.basic.department}
        autoComplete="organization"
        maxLength={160}
        {...register('department')}
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
    <Section title={copy.basic.about}>
      <Form name={profile.data.full_name ?? ''} department={profile.data.department ?? ''} />
    </Section>
  )
}
