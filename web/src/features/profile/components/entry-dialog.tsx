/** The form for one entry of a list, generated from its description. */
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { type Control, useController, type UseFormRegisterReturn } from 'react-hook-form'
import { BusyButton, Button } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { Field, Input, Textarea } from '@/components/ui/field'
import { GuardedDialog } from '@/components/ui/guarded-dialog'
import { FilePicker } from '@/components/files/file-picker'
import { fileAt } from '@/lib/files/model'
import { useUploads } from '@/lib/files/use-uploads'
import { useSingleFlight } from '@/lib/browser/use-single-flight'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { copy } from '../copy'
import { type EntryField, type EntryValues, type ListName, specs, toValues } from '../entries'
import { entrySchema } from '../entry-schema'
import { useEntries } from '../use-entries'

const inputTypes = { text: 'text', day: 'date', link: 'url' } as const

interface FormProps {
  list: ListName
  row: ({ id: string } & Record<string, unknown>) | undefined
  /** The field to start at; else the first. */
  focus?: string
  onDirty: () => void
  onDone: () => void
}

interface ControlProps {
  field: EntryField & { kind: Exclude<EntryField['kind'], 'picture' | 'scan'> }
  error: string | undefined
  input: UseFormRegisterReturn
}

interface PictureProps {
  field: EntryField
  control: Control<EntryValues, unknown, Record<string, unknown>>
  onDirty: () => void
  onBusy: (busy: boolean) => void
}

function EntryFile({ field: { name, label, kind }, control, onDirty, onBusy }: PictureProps) {
  const { field } = useController({ control, name })
  const address = String(field.value)
  const uploads = useUploads({
    bucket: kind === 'scan' ? 'certification-scans' : 'project-covers',
    most: 1,
    initial: address ? [fileAt(address)] : [],
    onFiles: ([file]) => {
      field.onChange(file?.address ?? '')
      onDirty()
    },
  })
  const { busy } = uploads
  useEffect(() => onBusy(busy), [busy, onBusy])
  return (
    <div ref={(box) => field.ref(box && { focus: () => box.querySelector('input')?.focus() })}>
      <FilePicker label={label} uploads={uploads} {...(kind === 'scan' ? { hint: copy.entries.scanHint } : {})} />
    </div>
  )
}

function EntryControl({ field: { label, kind, most }, error, input }: ControlProps) {
  if (kind === 'yes-no') {
    return (
      <label className="flex min-h-11 items-center gap-3 text-ui font-semibold">
        <input type="checkbox" className="size-5 accent-(--ember)" {...input} />
        {label}
      </label>
    )
  }
  return (
    <Field label={label} error={error}>
      {(control) =>
        kind === 'long' ? (
          <Textarea {...control} maxLength={most} {...input} />
        ) : (
          <Input {...control} type={inputTypes[kind]} maxLength={most} {...input} />
        )
      }
    </Field>
  )
}

export function EntryForm({ list, row, focus, onDirty, onDone }: FormProps) {
  const spec = specs[list]
  const schema = useMemo(() => entrySchema(spec), [spec])
  const { save, remove } = useEntries(list)
  const { register, handleSubmit, formState, control, setFocus } = useZodForm(schema, {
    defaultValues: toValues(spec.fields, row),
  })
  useEffect(() => {
    if (focus) setFocus(focus)
  }, [focus, setFocus])
  const [uploading, setUploading] = useState(false)
  const single = useSingleFlight()
  const submit = handleSubmit((values) => {
    if (!save.isPending && !uploading) single(() => save.mutateAsync({ id: row?.id ?? null, row: values }).then(onDone))
  })
  return (
    <form
      noValidate
      onChange={onDirty}
      onSubmit={(event) => {
        event.stopPropagation()
        void submit(event)
      }}
      className="grid grid-cols-1 gap-4"
    >
      {spec.fields.map(({ kind, ...field }) =>
        kind === 'picture' || kind === 'scan' ? (
          <EntryFile
            key={field.name}
            field={{ ...field, kind }}
            control={control}
            onDirty={onDirty}
            onBusy={setUploading}
          />
        ) : (
          <EntryControl
            key={field.name}
            field={{ ...field, kind }}
            error={formState.errors[field.name]?.message}
            input={register(field.name)}
          />
        ),
      )}
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
        <BusyButton
          type="submit"
          variant="primary"
          busy={save.isPending || uploading}
          busyLabel={uploading ? copy.form.uploading : copy.saving}
        >
          {copy.save}
        </BusyButton>
      </div>
    </form>
  )
}

interface Props {
  list: ListName
  row?: { id: string } & Record<string, unknown>
  /** The field to start at; else the first. */
  focus?: string
  children: ReactNode
}

export function EntryDialog({ list, row, focus, children }: Props) {
  const spec = specs[list]
  return (
    <GuardedDialog title={row ? copy.change(spec.one) : copy.addTo(spec.title)} trigger={children}>
      {(form) => <EntryForm list={list} row={row} {...(focus ? { focus } : {})} {...form} />}
    </GuardedDialog>
  )
}
