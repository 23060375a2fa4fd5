/** The form, and the confirmation once it is sent. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import type { ChangeEvent } from 'react'
import { useSearchParams } from 'react-router-dom'
import { profileQuery } from '@/api/profiles/queries'
import { useAuth, useMemberId } from '@/api/session/auth-context'
import { BusyButton, Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Field, Textarea } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { logError } from '@/lib/browser/log'
import { rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { categories, type Category, sendFeedback } from '../api/send'
import { copy } from '../copy'
import { keepFeedbackDraft, readFeedbackDraft } from '../drafts'
import { feedbackSchema } from '../schema'

const categoryOf = (asked: string | null): Category => categories.find((one) => one === asked) ?? 'general'

export function FeedbackForm() {
  const { user } = useAuth()
  const memberId = useMemberId()
  const me = useQuery(profileQuery(memberId)).data
  const [params] = useSearchParams()
  const { register, handleSubmit, resetField, formState } = useZodForm(feedbackSchema, {
    defaultValues: { category: categoryOf(params.get('category')), content: readFeedbackDraft(memberId) },
  })
  const send = useMutation({
    mutationFn: sendFeedback,
    onSuccess: () => {
      keepFeedbackDraft(memberId, '')
      resetField('content', { defaultValue: '' })
    },
    onError: (cause) => {
      logError('The feedback was not sent', cause)
      showToast({ ...copy.failed, description: rejectionMessage(cause, copy.failed.description) })
    },
  })
  const submit = handleSubmit((values) => {
    if (send.isPending) return
    send.mutate({ ...values, name: me?.full_name?.trim() || null, email: user?.email ?? null })
  })
  if (send.isSuccess) {
    return (
      <Card role="status">
        <EmptyState
          glyph={<Check />}
          title={copy.sent.title}
          action={<Button onClick={() => send.reset()}>{copy.again}</Button>}
        >
          {copy.sent.text}
        </EmptyState>
      </Card>
    )
  }
  return (
    <Card className="p-4 md:p-5">
      <form noValidate onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
        <Field label={copy.category}>
          {({ 'aria-invalid': _invalid, ...control }) => (
            <Select {...control} {...register('category')}>
              {categories.map((one) => (
                <option key={one} value={one}>
                  {copy.categories[one]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={copy.content} hint={copy.hint} error={formState.errors.content?.message}>
          {(control) => (
            <Textarea
              {...control}
              className="min-h-40"
              {...register('content', {
                onChange: ({ target }: ChangeEvent<HTMLTextAreaElement>) => keepFeedbackDraft(memberId, target.value),
              })}
            />
          )}
        </Field>
        <BusyButton
          type="submit"
          variant="primary"
          className="justify-self-start"
          busy={send.isPending}
          busyLabel={copy.submitting}
        >
          {copy.submit}
        </BusyButton>
      </form>
    </Card>
  )
}
