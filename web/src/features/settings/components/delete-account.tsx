/** The way out for good: says what goes and what stays, asks who one is, and then does it. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useAuth } from '@/api/session/auth-context'
import { BusyButton, Button } from '@/components/ui/button'
import { Dialog, DialogClose, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { FieldError, TextField } from '@/components/ui/field'
import { focusFirstInvalid } from '@/lib/focus/focus-first-invalid'
import { logError, messageOf } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { deleteAccount } from '../api/account'
import { copy } from '../copy'
import { isJustProved } from '../proof'

const words = copy.deletion

function Question({ onBusy }: { onBusy: (busy: boolean) => void }) {
  const { user, session, signOut } = useAuth()
  const [proved] = useState(() => isJustProved(session?.access_token ?? '', Date.now()))
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const remove = useMutation({
    mutationFn: deleteAccount,
    onMutate: () => onBusy(true),
    onSuccess: () => {
      showToast(words.done)
      void signOut()
    },
    onError: (cause) => {
      logError('The account was not deleted', cause)
      setError(messageOf(cause, words.failed))
      onBusy(false)
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (remove.isPending) return
    if (!proved && password === '') {
      setError(words.passwordMissing)
      return focusFirstInvalid(event.currentTarget)
    }
    setError(null)
    remove.mutate(proved ? null : { email: user?.email ?? '', password })
  }
  return (
    <form noValidate onSubmit={submit} className="grid grid-cols-1 gap-4">
      <ul className="grid list-disc gap-2 pl-5 text-ui">
        <li>{words.gone}</li>
        <li>{words.stays}</li>
        <li>{words.exported}</li>
      </ul>
      {proved ? (
        <>
          <p className="text-small text-muted">{words.provedBefore}</p>
          {error && <FieldError>{error}</FieldError>}
        </>
      ) : (
        <TextField
          label={words.password}
          hint={words.passwordHint}
          error={error}
          type="password"
          autoComplete="current-password"
          value={password}
          onValue={setPassword}
        />
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <DialogClose asChild>
          <Button aria-disabled={remove.isPending}>{words.safe}</Button>
        </DialogClose>
        <BusyButton type="submit" variant="danger" busy={remove.isPending} busyLabel={words.deleting}>
          {words.submit}
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
      <DialogContent title={words.title} description={words.text} withoutCross>
        <Question onBusy={setBusy} />
      </DialogContent>
    </Dialog>
  )
}
