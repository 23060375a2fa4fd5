/** Answers one request of a menu: the report's form, the question before a block, the mute with its way back. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { Confirm } from '@/components/ui/confirm'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import type { Person, SafetyRequest } from '@/lib/safety/requests'
import { showToast } from '@/lib/toasts/toast'
import { block, lift, mute } from '../api/mutations'
import { copy } from '../copy'
import { ReportDialog } from './report-dialog'

function Block({ person, onClose }: { person: Person; onClose: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const blocking = useMutation({
    mutationFn: () => block(person.id),
    onSuccess: () => {
      showToast(copy.block.done(person.name))
      if (pathname === paths.profileOf(person.id)) void navigate(paths.feed, { replace: true })
      // Every list may have shown them.
      void queryClient.invalidateQueries()
    },
    onError: (cause) => {
      logError('The member was not blocked', cause)
      showToast(copy.block.failed)
    },
    onSettled: onClose,
  })
  return (
    <Confirm
      title={copy.block.title(person.name)}
      description={copy.block.text}
      action={copy.block.action}
      onConfirm={() => blocking.mutate()}
      open={blocking.isIdle}
      onOpenChange={(open) => {
        if (!open && blocking.isIdle) onClose()
      }}
    />
  )
}

function Mute({ person, onClose }: { person: Person; onClose: () => void }) {
  const queryClient = useQueryClient()
  const started = useRef(false)
  useEffect(() => {
    if (started.current) return
    started.current = true
    const undo = () =>
      lift('mutes', person.id)
        .then(() => queryClient.invalidateQueries())
        .catch((cause: unknown) => {
          logError('The mute was not lifted', cause)
          showToast(copy.settings.notLifted)
        })
    mute(person.id)
      .then(() => {
        showToast({ ...copy.mute.done(person.name), action: { label: copy.mute.undo, run: () => void undo() } })
        return queryClient.invalidateQueries()
      })
      .catch((cause: unknown) => {
        logError('The member was not muted', cause)
        showToast(copy.mute.failed)
      })
      .finally(onClose)
  }, [person, queryClient, onClose])
  return null
}

export default function Answer({ request, onClose }: { request: SafetyRequest; onClose: () => void }) {
  if (request.act === 'report') return <ReportDialog subject={request.subject} onClose={onClose} />
  if (request.act === 'block') return <Block person={request.person} onClose={onClose} />
  return <Mute person={request.person} onClose={onClose} />
}
