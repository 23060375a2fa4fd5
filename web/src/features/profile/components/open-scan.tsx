/** The scan of another member's certification, for an admin who says why: the reason goes into the audit log. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isAdminQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { FileLink } from '@/components/files/file-link'
import { Picture } from '@/components/files/picture'
import { BusyButton, Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { fileAt, isPdf } from '@/lib/files/model'
import { rejectionMessage } from '@/lib/supabase/errors'
import { openScan } from '../api/mutations'
import { copy } from '../copy'

const strings = copy.scan

interface Props {
  certificationId: string
  name: string
}

export function OpenScan({ certificationId, name }: Props) {
  const isAdmin = useQuery(isAdminQuery(useMemberId())).data
  const [reason, setReason] = useState('')
  const open = useMutation({ mutationFn: () => openScan(certificationId, reason) })
  if (!isAdmin) return null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!open.isPending) open.mutate()
  }
  return (
    <Dialog onOpenChange={(opened) => !opened && open.reset()}>
      <DialogTrigger asChild>
        <Button size="sm" className="justify-self-start">
          {strings.open}
        </Button>
      </DialogTrigger>
      <DialogContent title={strings.title(name)} description={strings.logged}>
        {open.data ? (
          isPdf(open.data) ? (
            <FileLink address={open.data} name={`${name}.pdf`} label={strings.pdf} />
          ) : (
            <Picture
              file={{ ...fileAt(open.data), alt: strings.title(name) }}
              width={640}
              whole
              className="h-96 w-full"
            />
          )
        ) : (
          <form noValidate onSubmit={submit} className="grid gap-4">
            <TextField
              label={strings.reason}
              maxLength={300}
              value={reason}
              error={open.isError ? rejectionMessage(open.error, strings.failed) : null}
              onChange={(event) => setReason(event.target.value)}
            />
            <BusyButton
              type="submit"
              variant="primary"
              className="justify-self-end"
              busy={open.isPending}
              busyLabel={strings.opening}
            >
              {strings.open}
            </BusyButton>
          </form>
        )}
      </DialogContent>
    </Dialog>
  )
}
