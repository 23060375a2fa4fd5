/** Messages in the outbox: how they are sent, and those that are not (§17.2). */
import type { QueryClient } from '@tanstack/react-query'
import { messageKeys } from '@/api/messages/keys'
import { notifyMember } from '@/api/notifications/notify-member'
import { nameOf } from '@/api/people/model'
import { profileQuery } from '@/api/profiles/queries'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import { combinedId, randomId } from '@/lib/browser/random-id'
import type { Draft, Entry } from '@/lib/device/outbox/entry'
import type { Handler } from '@/lib/device/outbox/outbox'
import { useUnsent } from '@/lib/device/outbox/use-outbox'
import type { StoredFile } from '@/lib/files/model'
import { describeFiles } from '@/lib/files/upload'
import { rejectionMessage } from '@/lib/supabase/errors'
import { showToast } from '@/lib/toasts/toast'
import { putMessage } from './api/cache'
import { sendMessage } from './api/mutations'
import { copy } from './copy'
import type { EnrichedMessage, Outgoing } from './model'

const kind = 'message'

interface Written {
  otherId: string
  content: string
  file: StoredFile | null
}

const writtenOf = (entry: Entry) => entry.payload as Written

const laneOf = (otherId: string) => `messages ${otherId}`

export const messageDraft = (written: Written): Draft => ({
  id: randomId(),
  kind,
  lane: laneOf(written.otherId),
  place: paths.messagesWith(written.otherId),
  payload: written,
})

/** The messages to this member that are not sent, oldest first. */
export const useOutgoing = (otherId: string): Outgoing[] =>
  useUnsent<Written>(kind, laneOf(otherId)).map(({ id, payload, writtenAt, delivery, refusal }) => ({
    id,
    content: payload.content,
    file_url: payload.file?.address ?? null,
    created_at: writtenAt,
    delivery,
    reason: refusal && rejectionMessage(refusal, copy.sendError.description),
  }))

export const messageHandler = (queryClient: QueryClient): Handler => ({
  send: async (entry) => {
    const { otherId, content, file } = writtenOf(entry)
    // The message matters more than the description of its picture.
    if (file) {
      await describeFiles([file]).catch((cause: unknown) => logError('The picture was not described', cause))
    }
    const file_url = file?.address ?? null
    return sendMessage({ id: entry.id, sender_id: entry.memberId, recipient_id: otherId, content, file_url })
  },
  sent: ({ memberId, result }, here) => {
    putMessage(queryClient, memberId, result as EnrichedMessage)
    void queryClient.invalidateQueries({ queryKey: messageKeys.allowance(memberId) }) // §7.41
    if (here) showToast(copy.sent)
  },
  after: async (entry) => {
    const { id, memberId } = entry
    const { otherId, content } = writtenOf(entry)
    const me = await queryClient.ensureQueryData(profileQuery(memberId))
    await notifyMember({
      id: combinedId(id, otherId),
      recipientId: otherId,
      actorId: memberId,
      type: 'message',
      title: copy.notification(nameOf(me)),
      content,
      referenceId: id,
      url: paths.messagesWith(memberId),
      event: { message_id: id },
    })
  },
})
