/** The dialog in which a member says on what they mentor, and how many. */
import type { ReactNode } from 'react'
import { Controller } from 'react-hook-form'
import * as z from 'zod/mini'
import { useMemberId } from '@/api/session/auth-context'
import { BusyButton } from '@/components/ui/button'
import { Field, Textarea, TextField } from '@/components/ui/field'
import { GuardedDialog } from '@/components/ui/guarded-dialog'
import { Switch } from '@/components/ui/switch'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { saveOffer } from '../api'
import { copy } from '../copy'
import { limits, type Offer, topicsOf } from '../model'
import { useMentorChange } from '../use-mentors'

const strings = copy.form
const areTopics = (topics: string[]) =>
  topics.length >= 1 &&
  topics.length <= limits.topics &&
  topics.every((topic) => Array.from(topic).length <= limits.topic)
const isCapacity = (typed: string) => /^\d{1,2}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= limits.capacity

const schema = z.object({
  isOpen: z.boolean(),
  topics: z.pipe(z.string(), z.transform(topicsOf)).check(z.refine(areTopics, strings.topicsWrong)),
  capacity: z.pipe(
    z.string().check(z.trim(), z.refine(isCapacity, strings.capacityWrong)),
    z.transform((typed) => Number(typed)),
  ),
  note: z.pipe(
    z.string(),
    z.transform((typed: string) => typed.replace(/\s+/g, ' ').trim()),
  ),
})

interface FormProps {
  offer: Offer | null
  onDirty: () => void
  onDone: () => void
}

function OfferForm({ offer, onDirty, onDone }: FormProps) {
  const memberId = useMemberId()
  const { register, control, handleSubmit, formState } = useZodForm(schema, {
    defaultValues: {
      isOpen: offer?.isOpen ?? true,
      topics: offer?.topics.join(', ') ?? '',
      capacity: String(offer?.capacity ?? 2),
      note: offer?.note ?? '',
    },
  })
  const { errors } = formState
  const save = useMentorChange((values: z.output<typeof schema>) => saveOffer(memberId, offer === null, values), {
    onDone,
  })
  const submit = handleSubmit((values) => {
    if (!save.isPending) save.mutate(values)
  })
  return (
    <form noValidate onChange={onDirty} onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      {offer && (
        <Controller
          control={control}
          name="isOpen"
          render={({ field: { value, onChange, ref } }) => (
            <Field label={strings.open} hint={strings.openHint}>
              {({ 'aria-invalid': _invalid, ...field }) => (
                <Switch
                  {...field}
                  ref={ref}
                  checked={value}
                  onCheckedChange={(now) => {
                    onDirty()
                    onChange(now)
                  }}
                />
              )}
            </Field>
          )}
        />
      )}
      <Field label={strings.topics} hint={strings.topicsHint} error={errors.topics?.message}>
        {(field) => <Textarea {...field} className="min-h-16" {...register('topics')} />}
      </Field>
      <TextField
        label={strings.capacity}
        error={errors.capacity?.message}
        inputMode="numeric"
        maxLength={2}
        className="max-w-24"
        {...register('capacity')}
      />
      <Field label={strings.note} hint={strings.noteHint}>
        {({ 'aria-invalid': _invalid, ...field }) => (
          <Textarea {...field} className="min-h-16" maxLength={limits.note} {...register('note')} />
        )}
      </Field>
      <BusyButton type="submit" variant="primary" block busy={save.isPending} busyLabel={strings.saving}>
        {strings.save}
      </BusyButton>
    </form>
  )
}

export function OfferDialog({ offer, trigger }: { offer: Offer | null; trigger: ReactNode }) {
  return (
    <GuardedDialog title={strings.title} trigger={trigger}>
      {(form) => <OfferForm offer={offer} {...form} />}
    </GuardedDialog>
  )
}
