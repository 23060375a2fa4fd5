/** The dialog in which a member asks a connection to mentor them. */
import type { ReactNode } from 'react'
import * as z from 'zod/mini'
import { BusyButton } from '@/components/ui/button'
import { Field, Textarea } from '@/components/ui/field'
import { GuardedDialog } from '@/components/ui/guarded-dialog'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { showToast } from '@/lib/toasts/toast'
import { askMentor } from '../api'
import { copy } from '../copy'
import { limits } from '../model'
import { useMentorChange } from '../use-mentors'

const strings = copy.askForm
const schema = z.object({
  message: z.string().check(z.trim(), z.minLength(1, strings.missing)),
})

/** Asked at the same time in another tab; not offered any more. */
const wordsFor = (code: unknown) => (code === '23505' ? strings.twice : code === '42501' ? strings.gone : undefined)

interface Props {
  mentorId: string
  name: string
}

function AskForm({ mentorId, name, onDirty, onDone }: Props & { onDirty: () => void; onDone: () => void }) {
  const { register, handleSubmit, formState } = useZodForm(schema, { defaultValues: { message: '' } })
  const ask = useMentorChange((message: string) => askMentor(mentorId, message), {
    onDone: () => {
      showToast(copy.sent(name))
      onDone()
    },
    wordsFor,
  })
  const submit = handleSubmit(({ message }) => {
    if (!ask.isPending) ask.mutate(message)
  })
  return (
    <form noValidate onChange={onDirty} onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <Field label={strings.message} hint={strings.hint} error={formState.errors.message?.message}>
        {(control) => <Textarea {...control} rows={4} maxLength={limits.message} {...register('message')} />}
      </Field>
      <BusyButton type="submit" variant="primary" block busy={ask.isPending} busyLabel={strings.sending}>
        {strings.send}
      </BusyButton>
    </form>
  )
}

export function AskDialog({ trigger, ...props }: Props & { trigger: ReactNode }) {
  return (
    <GuardedDialog title={copy.ask(props.name)} trigger={trigger}>
      {(form) => <AskForm {...props} {...form} />}
    </GuardedDialog>
  )
}
