/** Editing one's profile: checked, saved as a whole, and not lost by a stray click. */
import { useQueryClient } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import { useUpdateProfile } from '@/api/profiles/use-update-profile'
import { Avatar } from '@/components/ui/avatar'
import { BusyButton, Button } from '@/components/ui/button'
import { Field, Input, Textarea } from '@/components/ui/field'
import { GuardedDialog } from '@/components/ui/guarded-dialog'
import { Select } from '@/components/ui/select'
import { logError, refusalOf } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { useFirstError } from '@/lib/focus/use-first-error'
import { profileKeys, type ProfilePage } from '../api/queries'
import { copy } from '../copy'
import { checkFields, type FieldErrors, firefighterTypes, type ProfileFields, toPatch } from '../model'
import { shrinkImage } from '../picture'

const words = copy.form

const fieldsOf = (profile: ProfilePage): ProfileFields => ({
  full_name: profile.full_name ?? '',
  position: profile.position ?? '',
  rank: profile.rank ?? '',
  department: profile.department ?? '',
  firefighter_type: profile.firefighter_type ?? '',
  years_of_service: profile.years_of_service?.toString() ?? '',
  bio: profile.bio ?? '',
  specialties: profile.specialties.join(', '),
})

const limitsOf = { full_name: 120, position: 120, rank: 80, department: 160, years_of_service: 2 } as const

interface FormProps {
  profile: ProfilePage
  onDirty: () => void
  onDone: () => void
}

function ProfileForm({ profile, onDirty, onDone }: FormProps) {
  const queryClient = useQueryClient()
  const update = useUpdateProfile()
  const [fields, setFields] = useState(() => fieldsOf(profile))
  const [picture, setPicture] = useState(profile.avatar_url)
  const [errors, setErrors] = useState<FieldErrors>({})
  const form = useFirstError(errors)
  const set = (name: keyof ProfileFields, value: string) => {
    setFields((before) => ({ ...before, [name]: value }))
    onDirty()
  }
  const choose = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0]
    event.target.value = ''
    if (!file) return
    shrinkImage(file).then(
      (url) => {
        setPicture(url)
        onDirty()
      },
      (cause: unknown) => {
        logError('The picture could not be read', cause)
        showToast(words.pictureFailed)
      },
    )
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (update.isPending) return
    const found = checkFields(fields, words.errors)
    setErrors(found)
    if (Object.keys(found).length > 0) return
    update.mutate(
      { ...toPatch(fields), avatar_url: picture },
      {
        onSuccess: () => {
          void queryClient.invalidateQueries({ queryKey: profileKeys.page(profile.id) })
          showToast(copy.saved)
          onDone()
        },
        onError: (cause) => showToast({ ...copy.failed, description: refusalOf(cause, copy.failed.description) }),
      },
    )
  }
  const text = (name: keyof typeof limitsOf) => (
    <Field label={words.fields[name]} error={errors[name]}>
      {(tie) => (
        <Input
          {...tie}
          inputMode={name === 'years_of_service' ? 'numeric' : undefined}
          maxLength={limitsOf[name]}
          value={fields[name]}
          onChange={(event) => set(name, event.target.value)}
        />
      )}
    </Field>
  )
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid grid-cols-1 gap-4">
      <fieldset className="flex flex-wrap items-center gap-4">
        <legend className="mb-1.5 text-small font-semibold">{words.picture}</legend>
        <Avatar memberId={profile.id} name={fields.full_name} url={picture} size="lg" />
        <div className="flex flex-wrap gap-2">
          <label className="inline-flex h-9 cursor-pointer items-center rounded-control border border-line-strong px-3 type-control text-small hover:bg-sunken has-focus-visible:outline-2 has-focus-visible:outline-focus">
            {words.upload}
            <input type="file" accept="image/jpeg,image/png,image/webp" className="sr-only" onChange={choose} />
          </label>
          {picture && (
            <Button
              variant="quiet"
              size="sm"
              onClick={() => {
                setPicture(null)
                onDirty()
              }}
            >
              {words.removePicture}
            </Button>
          )}
        </div>
        <p className="basis-full text-small text-muted">{words.pictureHint}</p>
      </fieldset>
      {text('full_name')}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {text('position')}
        {text('rank')}
        {text('department')}
        {text('years_of_service')}
      </div>
      <Field label={words.fields.firefighter_type}>
        {({ 'aria-invalid': _invalid, ...tie }) => (
          <Select
            {...tie}
            value={fields.firefighter_type}
            onChange={(event) => set('firefighter_type', event.target.value)}
          >
            <option value="">{words.noType}</option>
            {firefighterTypes.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={words.fields.bio} error={errors.bio}>
        {(tie) => <Textarea {...tie} value={fields.bio} onChange={(event) => set('bio', event.target.value)} />}
      </Field>
      <Field label={words.fields.specialties} hint={words.specialtiesHint} error={errors.specialties}>
        {(tie) => (
          <Textarea
            {...tie}
            className="min-h-16!"
            value={fields.specialties}
            onChange={(event) => set('specialties', event.target.value)}
          />
        )}
      </Field>
      <BusyButton
        type="submit"
        variant="primary"
        className="justify-self-end"
        busy={update.isPending}
        busyLabel={copy.saving}
      >
        {copy.save}
      </BusyButton>
    </form>
  )
}

export function EditProfile({ profile }: { profile: ProfilePage }) {
  return (
    <GuardedDialog
      title={words.title}
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
