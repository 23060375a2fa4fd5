/** The dialog in which a connection endorses a specialty or a milestone with one sentence. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { BusyButton, Button } from '@/components/ui/button'
import { Failed } from '@/components/ui/failed'
import { Field, Textarea } from '@/components/ui/field'
import { GuardedDialog } from '@/components/ui/guarded-dialog'
import { Select } from '@/components/ui/select'
import { logError } from '@/lib/browser/log'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { endorse, endorsementKeys, subjectsQuery } from '../api'
import { copy } from '../copy'

const strings = copy.form
const most = 280
const schema = z.object({
  about: z.string(),
  sentence: z.pipe(
    z.string(),
    z.pipe(
      z.transform((text: string) => text.replace(/\s+/g, ' ').trim()),
      z.string().check(z.minLength(1, strings.missing), z.maxLength(most)),
    ),
  ),
})

interface Props {
  memberId: string
  name: string
}

type Subjects = NonNullable<ReturnType<typeof useSubjects>['data']>
const useSubjects = (memberId: string) => useQuery(subjectsQuery(memberId))

function EndorseForm({
  memberId,
  name,
  subjects,
  onDirty,
  onDone,
}: Props & { subjects: Subjects; onDirty: () => void; onDone: () => void }) {
  const queryClient = useQueryClient()
  const milestones = subjects.career_milestones
  const { register, handleSubmit, formState } = useZodForm(schema, {
    defaultValues: { about: subjects.specialties[0] ?? milestones[0]?.id ?? '', sentence: '' },
  })
  const send = useMutation({
    mutationFn: ({ about, sentence }: z.output<typeof schema>) => {
      const isMilestone = milestones.some(({ id }) => id === about)
      const [specialty, milestone_id] = isMilestone ? [null, about] : [about, null]
      return endorse({ member_id: memberId, sentence, specialty, milestone_id })
    },
    onSuccess: () => {
      showToast(copy.sent(name))
      onDone()
      return queryClient.invalidateQueries({ queryKey: endorsementKeys.of(memberId) })
    },
    onError: (cause) => {
      logError('The endorsement was not sent', cause)
      const isTwice = 'code' in cause && cause.code === '23505'
      const fallback = isTwice ? strings.twice : copy.notSaved.description
      showToast({ ...copy.notSaved, description: rejectionMessage(cause, fallback) })
    },
  })
  const submit = handleSubmit((values) => {
    if (!send.isPending) send.mutate(values)
  })
  return (
    <form noValidate onChange={onDirty} onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <Field label={strings.about}>
        {({ 'aria-invalid': _invalid, ...control }) => (
          <Select {...control} {...register('about')}>
            {subjects.specialties.length > 0 && (
              <optgroup label={strings.specialties}>
                {subjects.specialties.map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </optgroup>
            )}
            {milestones.length > 0 && (
              <optgroup label={strings.milestones}>
                {milestones.map(({ id, title }) => (
                  <option key={id} value={id}>
                    {title}
                  </option>
                ))}
              </optgroup>
            )}
          </Select>
        )}
      </Field>
      <Field label={strings.sentence} hint={strings.hint} error={formState.errors.sentence?.message}>
        {(control) => <Textarea {...control} rows={3} maxLength={most} {...register('sentence')} />}
      </Field>
      <BusyButton type="submit" variant="primary" block busy={send.isPending} busyLabel={strings.busy}>
        {strings.action}
      </BusyButton>
    </form>
  )
}

/** Nothing where there is nothing to endorse. */
export function EndorseDialog({ memberId, name }: Props) {
  const subjects = useSubjects(memberId)
  const { data } = subjects
  if (!data) return subjects.isError ? <Failed title={copy.failed} onRetry={() => void subjects.refetch()} /> : null
  if (data.specialties.length + data.career_milestones.length === 0) return null
  return (
    <GuardedDialog
      title={copy.endorse(name)}
      trigger={
        <Button size="sm" className="max-w-full max-sm:w-full">
          {copy.endorse(name)}
        </Button>
      }
    >
      {(form) => <EndorseForm memberId={memberId} name={name} subjects={data} {...form} />}
    </GuardedDialog>
  )
}
