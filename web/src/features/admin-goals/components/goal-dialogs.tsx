/** The forms of a goal and of one of its requirements. */
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { goalKinds, ways } from '@/api/growth/model'
import { BusyButton } from '@/components/ui/button'
import { Field, Textarea, TextField } from '@/components/ui/field'
import { GuardedDialog } from '@/components/ui/guarded-dialog'
import { Select } from '@/components/ui/select'
import { useAdminAction } from '@/features/admin-shared/use-admin-action'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { type Goal, type GoalRequirement, goalsKey, saveGoal, saveRequirement } from '../api'
import { copy } from '../copy'

const strings = copy.fields
const place = z.pipe(
  z.string().check(z.trim(), z.regex(/^\d{1,5}$/, copy.number)),
  z.transform((text: string) => Math.min(10_000, Number(text))),
)
const required = z.string().check(z.trim(), z.minLength(1, copy.missing))
const goalSchema = z.object({
  name: required,
  kind: z.string(),
  description: z.string().check(z.trim()),
  place,
  is_open: z.boolean(),
})
const requirementSchema = z.object({
  title: required,
  detail: z.string().check(z.trim()),
  met_by: z.string(),
  place,
})

interface FormProps {
  onDirty: () => void
  onDone: () => void
}

function GoalForm({ goal, last, onDirty, onDone }: FormProps & { goal: Goal | undefined; last: number }) {
  const { register, handleSubmit, formState } = useZodForm(goalSchema, {
    defaultValues: {
      name: goal?.name ?? '',
      kind: goal?.kind ?? 'rank',
      description: goal?.description ?? '',
      place: String(goal?.place ?? last + 10),
      is_open: goal?.is_open ?? true,
    },
  })
  const { errors } = formState
  const save = useAdminAction({
    mutationFn: (fields: z.output<typeof goalSchema>) => saveGoal(goal?.id ?? null, fields),
    invalidates: goalsKey,
    done: () => {
      onDone()
      return copy.saved
    },
    failed: copy.notSaved,
  })
  const submit = handleSubmit((fields) => {
    if (!save.isPending) save.mutate(fields)
  })
  return (
    <form noValidate onChange={onDirty} onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <TextField label={strings.name} error={errors.name?.message} maxLength={120} {...register('name')} />
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label={strings.kind}>
          {({ 'aria-invalid': _invalid, ...control }) => (
            <Select {...control} {...register('kind')}>
              {goalKinds.map((kind) => (
                <option key={kind} value={kind}>
                  {copy.kinds[kind]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <TextField label={strings.place} error={errors.place?.message} inputMode="numeric" {...register('place')} />
      </div>
      <TextField label={strings.description} maxLength={400} {...register('description')} />
      <label className="flex min-h-11 items-center gap-3 text-ui font-semibold">
        <input type="checkbox" className="size-5 accent-(--ember)" {...register('is_open')} />
        {strings.isOpen}
      </label>
      <BusyButton type="submit" variant="primary" block busy={save.isPending} busyLabel={copy.saving}>
        {copy.save}
      </BusyButton>
    </form>
  )
}

export function GoalDialog({ goal, last = 0, trigger }: { goal?: Goal; last?: number; trigger: ReactNode }) {
  return (
    <GuardedDialog title={goal ? copy.edit : copy.add} trigger={trigger}>
      {(form) => <GoalForm goal={goal} last={last} {...form} />}
    </GuardedDialog>
  )
}

interface RequirementProps {
  goal: Goal
  requirement?: GoalRequirement
}

function RequirementForm({ goal, requirement, onDirty, onDone }: FormProps & RequirementProps) {
  const { register, handleSubmit, formState } = useZodForm(requirementSchema, {
    defaultValues: {
      title: requirement?.title ?? '',
      detail: requirement?.detail ?? '',
      met_by: requirement?.met_by ?? 'certification',
      place: String(requirement?.place ?? (goal.requirements.at(-1)?.place ?? 0) + 10),
    },
  })
  const { errors } = formState
  const save = useAdminAction({
    mutationFn: (fields: z.output<typeof requirementSchema>) =>
      saveRequirement(goal.id, requirement?.id ?? null, fields),
    invalidates: goalsKey,
    done: () => {
      onDone()
      return copy.saved
    },
    failed: copy.notSaved,
  })
  const submit = handleSubmit((fields) => {
    if (!save.isPending) save.mutate(fields)
  })
  return (
    <form noValidate onChange={onDirty} onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <TextField label={strings.title} error={errors.title?.message} maxLength={160} {...register('title')} />
      <Field label={strings.detail}>
        {({ 'aria-invalid': _invalid, ...control }) => (
          <Textarea {...control} rows={3} maxLength={400} {...register('detail')} />
        )}
      </Field>
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field label={strings.metBy}>
          {({ 'aria-invalid': _invalid, ...control }) => (
            <Select {...control} {...register('met_by')}>
              {ways.map((way) => (
                <option key={way} value={way}>
                  {copy.ways[way]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <TextField label={strings.place} error={errors.place?.message} inputMode="numeric" {...register('place')} />
      </div>
      <BusyButton type="submit" variant="primary" block busy={save.isPending} busyLabel={copy.saving}>
        {copy.save}
      </BusyButton>
    </form>
  )
}

export function GoalRequirementDialog({ trigger, ...about }: RequirementProps & { trigger: ReactNode }) {
  return (
    <GuardedDialog title={about.requirement ? copy.editRequirement : copy.addRequirement} trigger={trigger}>
      {(form) => <RequirementForm {...about} {...form} />}
    </GuardedDialog>
  )
}
