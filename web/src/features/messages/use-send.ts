/** Sending with an outbox: optimistic, kept on failure, retried with the same id (§5.19-22, §7.20, §8.18, §8.41). */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { messageKeys } from '@/api/messages/keys'
import { notifyMember } from '@/api/notifications/notify-member'
import { nameOf } from '@/api/people/model'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { randomId } from '@/lib/browser/random-id'
import { putMessage } from './api/cache'
import { Refusal, sendMessage } from './api/mutations'
import { copy } from './copy'
import type { Outgoing } from './model'
import { keepOutbox } from './outbox-store'

async function notifyRecipient(
  queryClient: QueryClient,
  memberId: string,
  otherId: string,
  id: string,
  content: string,
) {
  const me = await queryClient.ensureQueryData(profileQuery(memberId))
  await notifyMember({
    recipientId: otherId,
    actorId: memberId,
    type: 'message',
    title: copy.notification(nameOf(me)),
    content,
    referenceId: id,
    url: `${paths.messages}?with=${memberId}`,
    event: { message_id: id },
  })
}

export function useSend(otherId: string, onRefused: (content: string) => void) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const outboxKey = messageKeys.outbox(memberId, otherId)
  const change = (next: (outbox: Outgoing[]) => Outgoing[]) => {
    const now = queryClient.setQueryData<Outgoing[]>(outboxKey, (outbox) => next(outbox ?? []))
    keepOutbox(memberId, otherId, now ?? [])
  }
  const without = (id: string) => change((outbox) => outbox.filter((one) => one.id !== id))

  const { mutate } = useMutation({
    scope: { id: `messages-to-${otherId}` }, // in the order they were written
    mutationFn: ({ id, content, file_url }: Outgoing) =>
      sendMessage({ id, content, file_url, sender_id: memberId, recipient_id: otherId }),
    onMutate: (outgoing) =>
      void change((outbox) => [...outbox.filter((one) => one.id !== outgoing.id), { ...outgoing, failed: false }]),
    onSuccess: (message, { id, content }) => {
      putMessage(queryClient, memberId, message)
      without(id)
      showToast(copy.sent)
      void notifyRecipient(queryClient, memberId, otherId, id, content)
    },
    onError: (cause, outgoing) => {
      logError('The message was not sent', cause)
      void queryClient.invalidateQueries({ queryKey: messageKeys.recipient(otherId) }) // their setting may have changed
      if (cause instanceof Refusal) {
        without(outgoing.id)
        onRefused(outgoing.content)
        showToast({ ...copy.sendError, description: cause.message })
      } else {
        change((outbox) => outbox.map((one) => (one.id === outgoing.id ? { ...one, failed: true } : one)))
        showToast(copy.sendError)
      }
    },
    onSettled: () => void queryClient.invalidateQueries({ queryKey: messageKeys.allowance(memberId) }), // §7.41
  })
  return {
    send: (content: string, file_url: string | null = null) =>
      mutate({ id: randomId(), content, file_url, created_at: new Date().toISOString(), failed: false }),
    retry: (outgoing: Outgoing) => mutate({ ...outgoing, failed: false }),
    discard: without,
  }
}
