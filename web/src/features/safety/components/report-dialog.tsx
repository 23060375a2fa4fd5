/** A report: a reason, a note (§13.1). */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { Dialog, DialogClose, DialogContent } from '@/components/ui/dialog'
import { Field, FieldError, Textarea } from '@/components/ui/field'
import type { Subject } from '@/lib/safety/requests'
import { rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { report } from '../api/mutations'
import { copy } from '../copy'

export function ReportDialog({ subject, onClose }: { subject: Subject; onClose: () => void }) {
  const [reason, setReason] = useState('')
  const [note, setNote] = useState('')
  const [incomplete, setIncomplete] = useState(false)
  const noteIsMissing = reason === 'other' && !note.trim()
  const sending = useMutation({
    mutationFn: () => report(subject, reason, note.trim()),
    onSuccess: () => {
      showToast(copy.report.done)
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIncomplete(!reason || noteIsMissing)
    if (reason && !noteIsMissing && !sending.isPending) sending.mutate()
  }
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={copy.report.title[subject.kind]} description={copy.report.lead}>
        <form onSubmit={submit} className="grid gap-4" noValidate>
          <fieldset className="grid gap-1">
            <legend className="mb-1 text-small font-semibold">{copy.report.reason}</legend>
            {Object.entries(copy.report.reasons).map(([value, label]) => (
              <label key={value} className="flex min-h-11 items-center gap-3 md:min-h-9">
                <input
                  type="radio"
                  name="reason"
                  value={value}
                  checked={reason === value}
                  onChange={() => setReason(value)}
                  className="size-5 accent-ember"
                />
                {label}
              </label>
            ))}
            {incomplete && !reason && <FieldError>{copy.report.noteNeeded}</FieldError>}
          </fieldset>
          <Field
            label={copy.report.note}
            hint={reason === 'other' ? undefined : copy.report.noteHint}
            error={incomplete && noteIsMissing ? copy.report.noteNeeded : null}
          >
            {(control) => (
              <Textarea {...control} value={note} maxLength={1000} onChange={(event) => setNote(event.target.value)} />
            )}
          </Field>
          {sending.isError && <FieldError>{rejectionMessage(sending.error, copy.report.failed)}</FieldError>}
          <div className="flex flex-wrap justify-end gap-3">
            <DialogClose asChild>
              <Button>{copy.cancel}</Button>
            </DialogClose>
            <BusyButton type="submit" variant="primary" busy={sending.isPending} busyLabel={copy.report.sending}>
              {copy.report.send}
            </BusyButton>
          </div>
        </form>
      </DialogContent>
    </Dialog>
  )
}
