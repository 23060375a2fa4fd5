/** The form, and what is said once it is sent. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { profileQuery } from '@/api/profiles/queries'
import { useAuth, useMemberId } from '@/api/session/auth-context'
import { BusyButton, Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Field, Textarea } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { focusFirstInvalid } from '@/lib/focus/focus-first-invalid'
import { logError, refusalOf } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { categories, type Category, sendFeedback } from '../api/send'
import { copy } from '../copy'

const most = 5_000
const isCategory = (value: string | null): value is Category => categories.some((one) => one === value)

export function FeedbackForm() {
  const { user } = useAuth()
  const me = useQuery(profileQuery(useMemberId())).data
  const [params] = useSearchParams()
  const asked = params.get('category')
  const [category, setCategory] = useState<Category>(isCategory(asked) ? asked : 'general')
  const [content, setContent] = useState('')
  const [error, setError] = useState<string | null>(null)
  const send = useMutation({
    mutationFn: sendFeedback,
    onSuccess: () => setContent(''),
    onError: (cause) => {
      logError('The feedback was not sent', cause)
      showToast({ ...copy.failed, description: refusalOf(cause, copy.failed.description) })
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (send.isPending) return
    const found = !content.trim() ? copy.missing : Array.from(content).length > most ? copy.tooLong : null
    setError(found)
    if (found) return focusFirstInvalid(event.currentTarget)
    send.mutate({
      category,
      content: content.trim(),
      name: me?.full_name?.trim() || null,
      email: user?.email ?? null,
    })
  }
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
      <form noValidate onSubmit={submit} className="grid grid-cols-1 gap-4">
        <Field label={copy.category}>
          {({ 'aria-invalid': _invalid, ...tie }) => (
            <Select
              {...tie}
              value={category}
              onChange={(event) => isCategory(event.target.value) && setCategory(event.target.value)}
            >
              {categories.map((one) => (
                <option key={one} value={one}>
                  {copy.categories[one]}
                </option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={copy.content} hint={copy.hint} error={error}>
          {(tie) => (
            <Textarea
              {...tie}
              className="min-h-40!"
              value={content}
              onChange={(event) => setContent(event.target.value)}
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
