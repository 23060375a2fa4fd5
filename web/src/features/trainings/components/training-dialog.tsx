/** The form of a training in a dialog: a new one, or one's own to change. Its script loads with the page. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { useWatch } from 'react-hook-form'
import { useNavigate } from 'react-router-dom'
import { profileQuery } from '@/api/profiles/queries'
import { browserTimeZone } from '@/api/profiles/use-time-zone'
import { useMemberId } from '@/api/session/auth-context'
import { trainingKeys } from '@/api/trainings/keys'
import { kindNames, kinds, type Training } from '@/api/trainings/model'
import { BusyButton } from '@/components/ui/button'
import { Field, Textarea, TextField } from '@/components/ui/field'
import { GuardedDialog } from '@/components/ui/guarded-dialog'
import { Select } from '@/components/ui/select'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import { useSingleFlight } from '@/lib/browser/use-single-flight'
import { states } from '@/lib/format/states'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { postTraining, saveTraining } from '../api/mutations'
import { copy } from '../copy'
import { fieldsOf, noFields, type TrainingRow, trainingSchema } from '../training-schema'

const strings = copy.form

interface FormProps {
  training: Training | undefined
  zone: string
  onDirty: () => void
  /** With the training's id. */
  onDone: (id: string) => void
}

function useSave(training: Training | undefined, onDone: (id: string) => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (row: TrainingRow) => {
      if (!training) return postTraining(row)
      await saveTraining(training.id, row)
      return training.id
    },
    onSuccess: (id) => {
      showToast(training ? strings.saved : strings.posted)
      onDone(id)
      return queryClient.invalidateQueries({ queryKey: trainingKeys.all })
    },
    onError: (cause) => {
      logError('The training was not saved', cause)
      showToast({ ...strings.failed, description: rejectionMessage(cause, strings.failed.description) })
    },
  })
}

function TrainingForm({ training, zone, onDirty, onDone }: FormProps) {
  const schema = useMemo(() => trainingSchema(), [])
  const { register, handleSubmit, formState, control, getValues, setValue } = useZodForm(schema, {
    defaultValues: training ? fieldsOf(training) : noFields(zone),
  })
  const { errors } = formState
  const online = useWatch({ control, name: 'online' })
  const zones = useMemo(
    () => [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC', zone, training?.time_zone ?? zone])].sort(),
    [zone, training],
  )
  const save = useSave(training, onDone)
  const single = useSingleFlight()
  const submit = handleSubmit((row) => {
    if (!save.isPending) single(() => save.mutateAsync(row).catch(() => undefined))
  })
  /** Most end on the day on which they start. */
  const proposeEnd = () => {
    const [from, to] = [getValues('starts'), getValues('ends')]
    if (from && !to) setValue('ends', from)
  }
  return (
    <form noValidate onChange={onDirty} onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <TextField label={strings.title} error={errors.title?.message} maxLength={160} {...register('title')} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label={strings.kind}>
          {({ 'aria-invalid': _invalid, ...control }) => (
            <Select {...control} {...register('kind')}>
              {kinds.map((kind) => (
                <option key={kind} value={kind}>
                  {kindNames[kind]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <TextField
          label={strings.seats}
          hint={strings.seatsHint}
          error={errors.seats?.message}
          inputMode="numeric"
          maxLength={5}
          {...register('seats')}
        />
        <TextField
          label={strings.starts}
          error={errors.starts?.message}
          type="datetime-local"
          {...register('starts', { onBlur: proposeEnd })}
        />
        <TextField label={strings.ends} error={errors.ends?.message} type="datetime-local" {...register('ends')} />
      </div>
      <Field label={strings.zone} hint={strings.zoneHint}>
        {({ 'aria-invalid': _invalid, ...control }) => (
          <Select {...control} {...register('zone')}>
            {zones.map((one) => (
              <option key={one} value={one}>
                {one.replaceAll('_', ' ')}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <label className="flex min-h-11 items-center gap-3 text-ui font-semibold">
        <input type="checkbox" className="size-5 accent-(--ember)" {...register('online')} />
        {strings.online}
      </label>
      {!online && (
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <Field label={strings.state} error={errors.state?.message}>
            {(control) => (
              <Select {...control} {...register('state')}>
                <option value="">{strings.chooseState}</option>
                {Object.entries(states).map(([code, name]) => (
                  <option key={code} value={code}>
                    {name}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <TextField
            label={strings.place}
            hint={strings.placeHint}
            error={errors.place?.message}
            maxLength={200}
            {...register('place')}
          />
        </div>
      )}
      <TextField
        label={strings.link}
        hint={strings.linkHint}
        error={errors.link?.message}
        type="url"
        maxLength={2048}
        {...register('link')}
      />
      <Field label={strings.description} hint={training && strings.told}>
        {(control) => <Textarea {...control} maxLength={4000} {...register('description')} />}
      </Field>
      <BusyButton
        type="submit"
        variant="primary"
        className="justify-self-start"
        busy={save.isPending}
        busyLabel={strings.saving}
      >
        {training ? strings.save : strings.submit}
      </BusyButton>
    </form>
  )
}

interface Props {
  training?: Training
  trigger?: ReactNode
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** A new training leads to its page. */
export function TrainingDialog({ training, trigger, open, onOpenChange }: Props) {
  const navigate = useNavigate()
  const profile = useQuery(profileQuery(useMemberId())).data
  const zone = profile?.time_zone ?? browserTimeZone() ?? 'America/New_York'
  return (
    <GuardedDialog
      title={training ? strings.editTitle : strings.newTitle}
      wide
      open={open}
      onOpenChange={onOpenChange}
      trigger={trigger}
    >
      {({ onDirty, onDone }) => (
        <TrainingForm
          training={training}
          zone={zone}
          onDirty={onDirty}
          onDone={(id) => {
            onDone()
            // After the guard of unsaved changes is gone.
            if (!training) window.setTimeout(() => void navigate(paths.training(id)))
          }}
        />
      )}
    </GuardedDialog>
  )
}
