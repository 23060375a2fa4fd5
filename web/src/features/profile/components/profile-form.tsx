/** All profile fields of a member, saved together. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useUpdateProfile } from '@/api/profiles/use-update-profile'
import { BusyButton } from '@/components/ui/button'
import { Field, Textarea, TextField } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { fileAt } from '@/lib/files/model'
import { useUploads } from '@/lib/files/use-uploads'
import { states } from '@/lib/format/states'
import { rejectionMessage } from '@/lib/supabase/errors'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { showToast } from '@/lib/toasts/toast'
import { profileKeys, type ProfilePage } from '../api/queries'
import { copy } from '../copy'
import { firefighterTypes } from '../model'
import { type ProfileFields, profileSchema } from '../profile-schema'
import { CoverField, PhotoField } from './picture-field'

const strings = copy.form

const fieldsOf = (profile: ProfilePage): ProfileFields => ({
  full_name: profile.full_name ?? '',
  position: profile.position ?? '',
  rank: profile.rank ?? '',
  department: profile.department ?? '',
  firefighter_type: profile.firefighter_type ?? '',
  state: profile.state ?? '',
  years_of_service: profile.years_of_service?.toString() ?? '',
  bio: profile.bio ?? '',
  specialties: profile.specialties.join(', '),
  avatar_url: profile.avatar_url,
  cover_url: profile.cover_url,
})

const maxLengths = { full_name: 120, position: 120, rank: 80, department: 160, years_of_service: 2 } as const

interface Props {
  profile: ProfilePage
  /** Where to start: 'photo', 'department', 'bio', or (null) at the first field. */
  focus: string | null
  onDirty: () => void
  onDone: () => void
}

export function ProfileForm({ profile, focus, onDirty, onDone }: Props) {
  const queryClient = useQueryClient()
  const update = useUpdateProfile()
  const { register, handleSubmit, setValue, setFocus, formState } = useZodForm(profileSchema, {
    defaultValues: fieldsOf(profile),
  })
  const { errors } = formState
  const photoBox = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (focus === 'department' || focus === 'bio') setFocus(focus)
    if (focus === 'photo') photoBox.current?.querySelector('input')?.focus()
  }, [focus, setFocus])
  const pictureOf = (field: 'avatar_url' | 'cover_url') => ({
    most: 1,
    initial: profile[field] ? [fileAt(profile[field])] : [],
    onFiles: ([file]: { address: string }[]) => {
      setValue(field, file?.address ?? null)
      onDirty()
    },
  })
  const photo = useUploads({ bucket: 'profile-photos', ...pictureOf('avatar_url') })
  const cover = useUploads({ bucket: 'profile-covers', ...pictureOf('cover_url') })
  const uploading = photo.busy || cover.busy
  const submit = handleSubmit((patch) => {
    if (update.isPending || uploading) return
    update.mutate(patch, {
      onSuccess: () => {
        void queryClient.invalidateQueries({ queryKey: profileKeys.page(profile.id) })
        showToast(copy.saved)
        onDone()
      },
      onError: (cause) => showToast({ ...copy.failed, description: rejectionMessage(cause, copy.failed.description) }),
    })
  })
  const text = (field: keyof typeof maxLengths) => (
    <TextField
      label={strings.fields[field]}
      error={errors[field]?.message}
      inputMode={field === 'years_of_service' ? 'numeric' : 'text'}
      maxLength={maxLengths[field]}
      {...register(field)}
    />
  )
  return (
    <form noValidate onChange={onDirty} onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <div ref={photoBox}>
        <PhotoField uploads={photo} />
      </div>
      <CoverField uploads={cover} />
      {text('full_name')}
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {text('position')}
        {text('rank')}
        {text('department')}
        {text('years_of_service')}
      </div>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label={strings.fields.state} hint={strings.stateHint}>
          {({ 'aria-invalid': _invalid, ...control }) => (
            <Select {...control} {...register('state')}>
              <option value="">{strings.noState}</option>
              {Object.entries(states).map(([code, name]) => (
                <option key={code} value={code}>
                  {name}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={strings.fields.firefighter_type}>
          {({ 'aria-invalid': _invalid, ...control }) => (
            <Select {...control} {...register('firefighter_type')}>
              <option value="">{strings.noType}</option>
              {firefighterTypes.map((type) => (
                <option key={type}>{type}</option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <Field label={strings.fields.bio} error={errors.bio?.message}>
        {(control) => <Textarea {...control} {...register('bio')} />}
      </Field>
      <Field label={strings.fields.specialties} hint={strings.specialtiesHint} error={errors.specialties?.message}>
        {(control) => <Textarea {...control} className="min-h-16" {...register('specialties')} />}
      </Field>
      <BusyButton
        type="submit"
        variant="primary"
        className="justify-self-end"
        busy={update.isPending || uploading}
        busyLabel={uploading ? strings.uploading : copy.saving}
      >
        {copy.save}
      </BusyButton>
    </form>
  )
}
