/** Account deletion: lists what is deleted and what stays, and requires proof of identity. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useAuth } from '@/api/session/auth-context'
import { BusyButton, Button } from '@/components/ui/button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { FieldError, TextField } from '@/components/ui/field'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { logError } from '@/lib/browser/log'
import { messageForPeople } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { deleteAccount, WrongPassword } from '../api/account'
import { copy } from '../copy'
import { isRecentlyAuthenticated } from '../proof'
import { deletionSchema } from '../schemas'

function Question({ onBusy }: { onBusy: (busy: boolean) => void }) {
  const { user, session, signOut } = useAuth()
  const [proved] = useState(() => isRecentlyAuthenticated(session?.access_token ?? '', Date.now()))
  const { register, handleSubmit, setError, formState } = useZodForm(deletionSchema(!proved), {
    defaultValues: { password: '' },
  })
  const { errors } = formState
  const remove = useMutation({
    mutationFn: deleteAccount,
    onMutate: () => onBusy(true),
    onSuccess: () => {
      showToast(copy.deletion.done)
      void signOut()
    },
    onError: (cause) => {
      logError('The account was not deleted', cause)
      const isWrong = cause instanceof WrongPassword
      setError('password', {
        message: isWrong ? copy.deletion.passwordWrong : messageForPeople(cause, copy.deletion.failed),
      })
      onBusy(false)
    },
  })
  const submit = handleSubmit(({ password }) => {
    if (!remove.isPending) remove.mutate(proved ? null : { email: user?.email ?? '', password })
  })
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-4">
      <ul className="grid list-disc gap-2 pl-5 text-ui">
        <li>{copy.deletion.gone}</li>
        <li>{copy.deletion.stays}</li>
        <li>{copy.deletion.exported}</li>
      </ul>
      {proved ? (
        <>
          <p className="text-small text-muted">{copy.deletion.provedBefore}</p>
          {errors.password && <FieldError>{errors.password.message}</FieldError>}
        </>
      ) : (
        <TextField
          label={copy.deletion.password}
          hint={copy.deletion.passwordHint}
          error={errors.password?.message}
          type="password"
          autoComplete="current-password"
          {...register('password')}
        />
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <DialogClose asChild>
          <Button aria-disabled={remove.isPending}>{copy.deletion.safe}</Button>
        </DialogClose>
        <BusyButton type="submit" variant="danger" busy={remove.isPending} busyLabel={copy.deletion.deleting}>
          {copy.deletion.submit}
        </BusyButton>
      </div>
    </form>
  )
}

export function DeleteAccount() {
  const [open, setOpen] = useState(false)
  const [busy, setBusy] = useState(false)
  return (
    <Dialog open={open} onOpenChange={(next) => !busy && setOpen(next)}>
      <DialogTrigger asChild>
        <Button variant="danger-line">{copy.account.removeAction}</Button>
      </DialogTrigger>
      <DialogContent title={copy.deletion.title} description={copy.deletion.text} withoutCross>
        <Question onBusy={setBusy} />
      </DialogContent>
    </Dialog>
  )
}
