/** The dialogs of a requirement: its words, and what of the member's record meets it. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { type Requirement, type Way, ways } from '@/api/growth/model'
import { useMemberId } from '@/api/session/auth-context'
import { BusyButton } from '@/components/ui/button'
import { Failed } from '@/components/ui/failed'
import { Field, Textarea, TextField } from '@/components/ui/field'
import { GuardedDialog } from '@/components/ui/guarded-dialog'
import { Select } from '@/components/ui/select'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { addRequirement, changeRequirement, meetRequirement, type ProofColumn, proofsQuery } from '../api'
import { copy } from '../copy'
import { useChange } from '../use-change'

const strings = copy.form
const isWay = (value: string): value is Way => ways.some((way) => way === value)
const schema = z.object({
  title: z.string().check(z.trim(), z.minLength(1, strings.nameMissing)),
  detail: z.string().check(z.trim()),
  metBy: z.string(),
})

interface FormProps {
  requirement: Requirement | undefined
  /** Of a new one: after the last. */
  place: number
  onDirty: () => void
  onDone: () => void
}

function RequirementForm({ requirement, place, onDirty, onDone }: FormProps) {
  const { register, handleSubmit, formState } = useZodForm(schema, {
    defaultValues: {
      title: requirement?.title ?? '',
      detail: requirement?.detail ?? '',
      metBy: requirement?.metBy ?? 'tick',
    },
  })
  const save = useChange(async ({ title, detail, metBy }: z.output<typeof schema>) => {
    const fields = { title, detail, met_by: isWay(metBy) ? metBy : 'tick' } as const
    await (requirement ? changeRequirement(requirement.id, fields) : addRequirement({ ...fields, place }))
  }, onDone)
  const submit = handleSubmit((values) => {
    if (!save.isPending) save.mutate(values)
  })
  return (
    <form noValidate onChange={onDirty} onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <TextField label={strings.name} error={formState.errors.title?.message} maxLength={160} {...register('title')} />
      <Field label={strings.detail}>
        {({ 'aria-invalid': _invalid, ...control }) => (
          <Textarea {...control} rows={3} maxLength={400} {...register('detail')} />
        )}
      </Field>
      <Field label={strings.metBy}>
        {({ 'aria-invalid': _invalid, ...control }) => (
          <Select {...control} {...register('metBy')}>
            {ways.map((way) => (
              <option key={way} value={way}>
                {strings.ways[way]}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <BusyButton type="submit" variant="primary" block busy={save.isPending} busyLabel={strings.saving}>
        {strings.save}
      </BusyButton>
    </form>
  )
}

interface DialogProps {
  requirement?: Requirement
  place?: number
  trigger?: ReactNode
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

export function RequirementDialog({ requirement, place = 1000, ...control }: DialogProps) {
  return (
    <GuardedDialog title={requirement ? strings.edit : strings.add} {...control}>
      {(form) => <RequirementForm requirement={requirement} place={place} {...form} />}
    </GuardedDialog>
  )
}

const groups: readonly { column: ProofColumn; label: string }[] = [
  { column: 'certification_id', label: copy.meet.certifications },
  { column: 'training_id', label: copy.meet.trainings },
  { column: 'milestone_id', label: copy.meet.milestones },
]

/** The list of what meets it comes after the dialog has opened, which found no field to focus. */
function focusFirst(select: HTMLSelectElement | null) {
  if (document.activeElement?.closest('[role=dialog]')?.contains(select)) select?.focus()
}

function MeetForm({ requirement, onDone }: { requirement: Requirement; onDone: () => void }) {
  const proofs = useQuery(proofsQuery(useMemberId()))
  const [chosen, setChosen] = useState('')
  const meet = useChange(
    (proof: Parameters<typeof meetRequirement>[1]) => meetRequirement(requirement.id, proof),
    onDone,
  )
  if (proofs.isPending) {
    return (
      <Loading label={copy.meet.loading}>
        <Skeleton className="h-11 w-full" />
      </Loading>
    )
  }
  const { data } = proofs
  if (!data) return <Failed title={copy.meet.failed} onRetry={() => void proofs.refetch()} />
  const save = () => {
    const column = groups.find((group) => data[group.column].some(({ id }) => id === chosen))?.column
    if (!meet.isPending) meet.mutate(column ? { column, id: chosen } : null)
  }
  return (
    <form
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Field label={copy.meet.label} hint={copy.meet.hint}>
        {({ 'aria-invalid': _invalid, ...control }) => (
          <Select {...control} ref={focusFirst} value={chosen} onChange={(event) => setChosen(event.target.value)}>
            <option value="">{copy.meet.none}</option>
            {groups.map(
              ({ column, label }) =>
                data[column].length > 0 && (
                  <optgroup key={column} label={label}>
                    {data[column].map(({ id, name }) => (
                      <option key={id} value={id}>
                        {name}
                      </option>
                    ))}
                  </optgroup>
                ),
            )}
          </Select>
        )}
      </Field>
      <BusyButton type="submit" variant="primary" block busy={meet.isPending} busyLabel={strings.saving}>
        {strings.save}
      </BusyButton>
    </form>
  )
}

export function MeetDialog({ requirement, ...control }: DialogProps & { requirement: Requirement }) {
  return (
    <GuardedDialog title={copy.meet.title(requirement.title)} {...control}>
      {({ onDone }) => <MeetForm requirement={requirement} onDone={onDone} />}
    </GuardedDialog>
  )
}
