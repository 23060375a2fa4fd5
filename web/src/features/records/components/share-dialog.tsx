/** What goes into a record, and those that were shared: link, PDF, JSON, Turn off (§16.6). */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import clsx from 'clsx'
import { Copy, Download } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { useMemberId } from '@/api/session/auth-context'
import { BusyButton, Button } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { DialogContent } from '@/components/ui/dialog'
import { FieldError, TextField } from '@/components/ui/field'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { readEnv } from '@/config/env'
import { paths } from '@/config/paths'
import { downloadFile } from '@/lib/browser/download-file'
import { logError } from '@/lib/browser/log'
import { copyText } from '@/lib/browser/share-link'
import { formatDate } from '@/lib/format/dates'
import { useLiveRows } from '@/lib/live-lists/use-live-rows'
import { supabase } from '@/lib/supabase/client'
import { rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { issueRecord, readPdf, revokeRecord } from '../api/mutations'
import { type IssuedRecord, partCountsQuery, recordKeys, recordsQuery } from '../api/queries'
import { copy } from '../copy'
import { fileOf, type Part, parts } from '../model'

const linkOf = (code: string) => `${readEnv().siteUrl}${paths.verifyCode(code)}`

/** Checks are counted, and records are made and turned off elsewhere. */
function useRecordsLive(memberId: string): void {
  const queryClient = useQueryClient()
  const queryKey = useMemo(() => recordKeys.own(memberId), [memberId])
  const open = useCallback(
    () =>
      supabase
        .channel(`records:${memberId}`)
        .on(
          'postgres_changes',
          { event: '*', schema: 'public', table: 'issued_records', filter: `user_id=eq.${memberId}` },
          () => void queryClient.invalidateQueries({ queryKey }),
        ),
    [memberId, queryClient, queryKey],
  )
  useLiveRows({ open, queryKey })
}

function MakeRecord({ onMade }: { onMade: (code: string) => void }) {
  const memberId = useMemberId()
  const counts = useQuery(partCountsQuery(memberId)).data
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<ReadonlySet<Part>>(new Set(['certifications', 'trainings', 'career']))
  const make = useMutation({
    mutationFn: () => issueRecord([...chosen]),
    onError: (cause) => logError('The record was not made', cause),
    onSuccess: (code) => {
      onMade(code)
      return queryClient.invalidateQueries({ queryKey: recordKeys.own(memberId) })
    },
  })
  const toggle = (part: Part, on: boolean) => {
    const next = new Set(chosen)
    if (on) next.add(part)
    else next.delete(part)
    if (!next.has('certifications')) next.delete('numbers')
    setChosen(next)
  }
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        if (!make.isPending) make.mutate()
      }}
    >
      <fieldset>
        <legend className="sr-only">{copy.choose}</legend>
        {parts.map((part) => (
          <label key={part} className="flex min-h-11 cursor-pointer items-center gap-3 border-b border-line py-1">
            <input
              type="checkbox"
              className="size-5 accent-(--ember)"
              checked={chosen.has(part)}
              disabled={part === 'numbers' && !chosen.has('certifications')}
              onChange={(event) => toggle(part, event.currentTarget.checked)}
            />
            {copy.parts[part]}
            {counts && <span className="ml-auto text-small text-muted tabular-nums">{counts[part]}</span>}
          </label>
        ))}
      </fieldset>
      {make.isError && <FieldError>{rejectionMessage(make.error, copy.makeFailed)}</FieldError>}
      <div className="flex flex-wrap items-center gap-3">
        <BusyButton
          type="submit"
          variant="primary"
          busy={make.isPending}
          busyLabel={copy.making}
          disabled={chosen.size === 0}
        >
          {copy.make}
        </BusyButton>
        <p role="status" className="text-small text-muted">
          {make.isSuccess && copy.made}
        </p>
      </div>
    </form>
  )
}

/** `isNew`: just made, with its link to be read. */
function RecordRow({ record, isNew }: { record: IssuedRecord; isNew: boolean }) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const { id, code } = record
  const off = useMutation({
    mutationFn: () => revokeRecord(id),
    onError: (cause) => {
      logError('The record was not turned off', cause)
      showToast(copy.offFailed)
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: recordKeys.own(memberId) }),
  })
  const pdf = useMutation({
    mutationFn: () => readPdf(id),
    onSuccess: (file) => downloadFile(`muster-record-${code}.pdf`, 'application/pdf', file),
    onError: (cause) => {
      logError('The PDF was not made', cause)
      showToast(copy.pdfFailed)
    },
  })
  const copyLink = async () => showToast((await copyText(linkOf(code))) ? copy.copied : copy.copyFailed)
  const json = () =>
    downloadFile(
      `muster-record-${code}.json`,
      'application/json',
      fileOf(code, record.digest, record.document, linkOf(code)),
    )
  const which = <span className="sr-only"> {copy.of(code)}</span>
  return (
    <li className="grid gap-1 border-t border-line py-3">
      <p className="font-mono text-ui font-semibold tracking-wide [overflow-wrap:anywhere]">{code}</p>
      <p className="text-small text-muted tabular-nums">
        {copy.facts(formatDate(record.issued_at), record.check_count)}
      </p>
      {isNew && (
        <TextField label={copy.link} readOnly value={linkOf(code)} onFocus={(event) => event.target.select()} />
      )}
      <div className={clsx('flex flex-wrap', isNew ? 'gap-x-2 pt-1' : '-mx-3')}>
        <Button variant={isNew ? 'primary' : 'quiet'} size="sm" onClick={() => void copyLink()}>
          <Copy aria-hidden /> {copy.copyLink}
          {which}
        </Button>
        <BusyButton
          variant="quiet"
          size="sm"
          busy={pdf.isPending}
          busyLabel={copy.pdfMaking}
          onClick={() => pdf.mutate()}
        >
          <Download aria-hidden /> {copy.pdf}
          {which}
        </BusyButton>
        <Button variant="quiet" size="sm" onClick={json}>
          <Download aria-hidden /> {copy.json}
          {which}
        </Button>
        <Confirm
          title={copy.offTitle(code)}
          description={copy.offText}
          action={copy.off}
          safe={copy.keep}
          onConfirm={() => off.mutate()}
        >
          <Button variant="danger-quiet" size="sm">
            {copy.off}
            {which}
          </Button>
        </Confirm>
      </div>
    </li>
  )
}

function SharedRecords({ newCode }: { newCode: string | null }) {
  const memberId = useMemberId()
  useRecordsLive(memberId)
  const records = useQuery(recordsQuery(memberId))
  if (records.isPending)
    return (
      <Loading label={copy.loading}>
        <Skeleton shape="control" className="h-16 w-full" />
      </Loading>
    )
  if (!records.data)
    return (
      <p role="alert" className="text-small text-destructive-text">
        {copy.loadFailed}{' '}
        <button type="button" className="link" onClick={() => void records.refetch()}>
          {copy.retry}
        </button>
      </p>
    )
  if (records.data.length === 0) return <p className="text-small text-muted">{copy.none}</p>
  return (
    <ul>
      {records.data.map((record) => (
        <RecordRow key={record.id} record={record} isNew={record.code === newCode} />
      ))}
    </ul>
  )
}

export default function ShareDialog() {
  const [newCode, setNewCode] = useState<string | null>(null)
  return (
    <DialogContent title={copy.title} description={copy.lead} wide>
      <MakeRecord onMade={setNewCode} />
      <h3 className="mt-6 mb-2 text-small font-semibold">{copy.shared}</h3>
      <SharedRecords newCode={newCode} />
    </DialogContent>
  )
}
