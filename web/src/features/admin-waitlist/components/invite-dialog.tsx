/** Invites somebody who is not on the waitlist: the address is added to it and mailed. */
import { useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { Dialog, DialogClose, DialogContent } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { copy } from '../copy'
import { isAddress } from '../model'

const strings = copy.someone

interface Props {
  busy: boolean
  onClose: () => void
  onInvite: (email: string) => void
}

export function InviteDialog({ busy, onClose, onInvite }: Props) {
  const [email, setEmail] = useState('')
  const [error, setError] = useState<string | null>(null)
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={strings.title} description={strings.text}>
        <form
          noValidate
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (busy) return
            if (isAddress(email.trim())) onInvite(email.trim())
            else setError(strings.invalid)
          }}
        >
          <TextField
            label={copy.email}
            type="email"
            autoComplete="off"
            maxLength={254}
            value={email}
            error={error}
            onChange={({ target }) => {
              setEmail(target.value)
              setError(null)
            }}
          />
          <div className="flex flex-wrap justify-end gap-3">
            <DialogClose asChild>
              <Button>{strings.cancel}</Button>
            </DialogClose>
            <BusyButton type="submit" variant="primary" busy={busy} busyLabel={copy.inviting}>
              {strings.send}
            </BusyButton>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  )
}
