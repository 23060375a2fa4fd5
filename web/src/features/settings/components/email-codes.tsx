/** A change of the e-mail address under way: takes the codes of its two mails, in any order. */
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { BusyButton } from '@/components/ui/button'
import { CodeField } from '@/components/ui/code-field'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { showToast } from '@/lib/toasts/toast'
import { confirmEmailChange } from '../api/account'
import { copy } from '../copy'
import { emailCodeSchema } from '../schemas'

const strings = copy.email.codes

export function EmailCodes({ from, to }: { from: string; to: string }) {
  const [left, setLeft] = useState([to, from])
  const { register, handleSubmit, reset, setError, setFocus, formState } = useZodForm(emailCodeSchema, {
    defaultValues: { code: '' },
  })
  const confirm = useMutation({
    mutationFn: (code: string) => confirmEmailChange(left, code),
    onSuccess: (confirmed) => {
      if (!confirmed) return setError('code', { message: strings.wrong })
      if (confirmed.changed) return showToast(strings.changed(to))
      setLeft(left.filter((address) => address !== confirmed.address))
      reset()
    },
    onError: () => setError('code', { message: strings.failed }),
  })
  const submit = handleSubmit(({ code }) => {
    if (!confirm.isPending) confirm.mutate(code)
  })
  const isOneLeft = left.length === 1
  useEffect(() => {
    if (isOneLeft) setFocus('code')
  }, [isOneLeft, setFocus])
  const [other] = left
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid gap-3 border-t border-line pt-4">
      <p role="status" className="text-small [overflow-wrap:anywhere]">
        {isOneLeft && other ? strings.oneLeft(other) : strings.sent(to)}
      </p>
      <CodeField
        label={strings.label}
        error={formState.errors.code?.message}
        className="max-w-56"
        {...register('code')}
      />
      <BusyButton type="submit" className="justify-self-start" busy={confirm.isPending} busyLabel={strings.submitting}>
        {strings.submit}
      </BusyButton>
    </form>
  )
}
