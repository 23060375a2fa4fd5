/** The form for one entry of one list, drawn from its description. */
import { type FormEvent, type ReactNode, useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { Field, Input, Textarea } from '@/components/ui/field'
import { GuardedDialog } from '@/components/ui/guarded-dialog'
import { useFirstError } from '@/lib/focus/use-first-error'
import { useSingleFlight } from '@/lib/browser/use-single-flight'
import { copy } from '../copy'
import { checkEntry, type EntryField, type ListName, specs, toRow, toValues } from '../entries'
import { useEntries } from '../use-entries'

interface FormProps {
  list: ListName
  row: ({ id: string } & Record<string, unknown>) | undefined
  onDirty: () => void
  onDone: () => void
}

function EntryForm({ list, row, onDirty, onDone }: FormProps) {
  const spec = specs[list]
  const { save, remove } = useEntries(list)
  const [values, setValues] = useState(() => toValues(spec, row))
  const [errors, setErrors] = useState<Record<string, string>>({})
  const form = useFirstError(errors)
  const single = useSingleFlight()
  const set = (name: string, value: string | boolean) => {
    setValues((before) => ({ ...before, [name]: value }))
    onDirty()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (save.isPending) return
    const found = checkEntry(spec, values, copy.entries)
    setErrors(found)
    if (Object.keys(found).length === 0) {
      single(() => save.mutateAsync({ id: row?.id ?? null, row: toRow(spec, values) }).then(onDone))
    }
  }
  const control = ({ name, label, kind, most }: EntryField) => {
    const value = values[name]
    if (kind === 'yes-no') {
      return (
        <label key={name} className="flex min-h-11 items-center gap-3 text-ui font-semibold">
          <input
            type="checkbox"
            className="size-5 accent-(--ember)"
            checked={value === true}
            onChange={(event) => set(name, event.target.checked)}
          />
          {label}
        </label>
      )
    }
    const text = typeof value === 'string' ? value : ''
    const type = kind === 'day' ? 'date' : kind === 'text' ? 'text' : 'url'
    return (
      <Field key={name} label={label} error={errors[name]}>
        {(tie) =>
          kind === 'long' ? (
            <Textarea {...tie} maxLength={most} value={text} onChange={(event) => set(name, event.target.value)} />
          ) : (
            <Input
              {...tie}
              type={type}
              maxLength={most}
              value={text}
              onChange={(event) => set(name, event.target.value)}
            />
          )
        }
      </Field>
    )
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="grid grid-cols-1 gap-4">
      {spec.fields.map(control)}
      <div className="flex flex-wrap justify-between gap-3">
        {row ? (
          <Confirm
            title={copy.remove(spec.one)}
            description={copy.removeText}
            action={copy.removeAction}
            onConfirm={() => remove.mutate(row.id, { onSuccess: onDone })}
          >
            <Button variant="danger-line">{copy.removeAction}</Button>
          </Confirm>
        ) : (
          <span />
        )}
        <BusyButton type="submit" variant="primary" busy={save.isPending} busyLabel={copy.saving}>
          {copy.save}
        </BusyButton>
      </div>
    </form>
  )
}

interface Props {
  list: ListName
  row?: { id: string } & Record<string, unknown>
  children: ReactNode
}

export function EntryDialog({ list, row, children }: Props) {
  const spec = specs[list]
  return (
    <GuardedDialog title={row ? copy.change(spec.one) : copy.addTo(spec.title)} trigger={children}>
      {(form) => <EntryForm list={list} row={row} {...form} />}
    </GuardedDialog>
  )
}
