/** The dialog to choose a goal of the list, or to write one. Its list loads when it opens. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import * as z from 'zod/mini'
import { goalKinds, isGoalKind } from '@/api/growth/model'
import { BusyButton } from '@/components/ui/button'
import { Failed } from '@/components/ui/failed'
import { Field, TextField } from '@/components/ui/field'
import { GuardedDialog } from '@/components/ui/guarded-dialog'
import { Select } from '@/components/ui/select'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { chooseGoal, goalsQuery } from '../api'
import { copy } from '../copy'
import { useChange } from '../use-change'

const strings = copy.choose
const schema = z.object({
  kind: z.string(),
  title: z.string().check(z.trim(), z.minLength(1, strings.nameMissing)),
})

function Goals({ choose, busyId }: { choose: (id: string) => void; busyId: string | null }) {
  const goals = useQuery(goalsQuery())
  if (goals.isPending) {
    return (
      <Loading label={strings.loading} className="grid gap-2">
        <Skeleton className="h-14 w-full" />
        <Skeleton className="h-14 w-full" />
      </Loading>
    )
  }
  if (!goals.data) return <Failed title={strings.failed} onRetry={() => void goals.refetch()} />
  return goalKinds.map((kind) => {
    const found = goals.data.filter((goal) => goal.kind === kind)
    if (found.length === 0) return null
    return (
      <section key={kind} aria-label={copy.kinds[kind]} className="grid gap-2">
        <h3 className="type-mark text-muted">{copy.kinds[kind]}</h3>
        <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2">
          {found.map(({ id, name, description, requirements }) => (
            <li key={id} className="grid">
              <button
                type="button"
                aria-disabled={busyId !== null}
                onClick={() => choose(id)}
                className="grid content-start gap-0.5 rounded-control border border-line-strong p-3 text-start hover:bg-sunken"
              >
                <b className="type-name [overflow-wrap:anywhere]">{busyId === id ? strings.busy : name}</b>
                <span className="text-small [overflow-wrap:anywhere] text-muted">
                  {[description, strings.asks(requirements[0]?.count ?? 0)].filter(Boolean).join(' ')}
                </span>
              </button>
            </li>
          ))}
        </ul>
      </section>
    )
  })
}

function ChooseForm({ replaces, onDirty, onDone }: { replaces: boolean; onDirty: () => void; onDone: () => void }) {
  const { register, handleSubmit, formState } = useZodForm(schema, { defaultValues: { kind: 'rank', title: '' } })
  const [busyId, setBusyId] = useState<string | null>(null)
  const start = useChange(chooseGoal, onDone)
  const choose = (goal: Parameters<typeof chooseGoal>[0]) => {
    if (start.isPending) return
    setBusyId('id' in goal ? goal.id : '')
    start.mutate(goal, { onSettled: () => setBusyId(null) })
  }
  const submit = handleSubmit(({ kind, title }) => choose({ kind: isGoalKind(kind) ? kind : 'rank', title }))
  return (
    <div className="grid gap-5">
      {replaces && <p className="text-ui text-muted">{strings.replaces}</p>}
      <Goals choose={(id) => choose({ id })} busyId={busyId} />
      <form
        noValidate
        onChange={onDirty}
        onSubmit={(event) => void submit(event)}
        className="grid grid-cols-1 gap-3 border-t border-line pt-5"
      >
        <h3 className="type-card">{strings.own}</h3>
        <div className="grid grid-cols-1 items-start gap-3 sm:grid-cols-[10rem_minmax(0,1fr)]">
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
          <TextField
            label={strings.name}
            error={formState.errors.title?.message}
            maxLength={120}
            {...register('title')}
          />
        </div>
        <BusyButton
          type="submit"
          variant="primary"
          className="justify-self-start max-sm:w-full"
          busy={busyId === ''}
          busyLabel={strings.busy}
        >
          {strings.start}
        </BusyButton>
      </form>
    </div>
  )
}

export function ChooseGoal({ replaces = false, trigger }: { replaces?: boolean; trigger: ReactNode }) {
  return (
    <GuardedDialog title={strings.title} wide trigger={trigger}>
      {(form) => <ChooseForm replaces={replaces} {...form} />}
    </GuardedDialog>
  )
}
