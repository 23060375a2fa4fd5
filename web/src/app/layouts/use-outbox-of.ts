/** Runs the outbox of the signed-in member: which feature sends what, on this browser's locks and channels (§17.2). */
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type Channel, createOutbox, type Handler } from '@/lib/device/outbox/outbox'
import { openStore } from '@/lib/device/outbox/store'
import { runOutbox } from '@/lib/device/outbox/use-outbox'
import { supabase } from '@/lib/supabase/client'

const lockName = 'muster-outbox'

/** Loaded when the first of its kind is sent. */
const handlers: Record<string, (queryClient: QueryClient) => Promise<Handler>> = {
  message: async (queryClient) => (await import('@/features/messages/outbox')).messageHandler(queryClient),
  post: async (queryClient) => (await import('@/features/feed/outbox')).postHandler(queryClient),
  comment: async (queryClient) => (await import('@/features/feed/outbox')).commentHandler(queryClient),
  connection: async (queryClient) => (await import('@/api/connections/outbox')).connectionHandler(queryClient),
}

async function load(kind: string, queryClient: QueryClient): Promise<Handler> {
  const handler = handlers[kind]
  if (!handler) throw new Error(`Nothing sends ${kind}`)
  return handler(queryClient)
}

async function maySend(memberId: string): Promise<boolean> {
  const { data } = await supabase.auth.getSession()
  return data.session?.user.id === memberId
}

/** Over plain HTTP there are no locks: the ids alone make sending in two tabs harmless. */
const exclusively = async (work: () => Promise<void>) => {
  await (navigator.locks ? navigator.locks.request(lockName, work) : work())
}

function openChannel<Notice>(heard: (notice: Notice) => void): Channel<Notice> {
  const channel = new BroadcastChannel(lockName)
  channel.addEventListener('message', ({ data }: MessageEvent<Notice>) => heard(data))
  return { post: (notice) => channel.postMessage(notice), close: () => channel.close() }
}

export function useOutboxOf(memberId: string): void {
  const queryClient = useQueryClient()
  useEffect(
    () =>
      runOutbox(
        createOutbox({
          memberId,
          store: openStore(),
          load: (kind) => load(kind, queryClient),
          maySend: () => maySend(memberId),
          isOnline: () => navigator.onLine,
          exclusively,
          openChannel,
        }),
      ),
    [memberId, queryClient],
  )
}
