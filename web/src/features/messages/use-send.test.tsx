import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sharedKeys } from '@/api/keys'
import { NetworkStatusContext } from '@/lib/browser/connectivity/network-status'
import { RequestError } from '@/lib/supabase/errors'
import { runTestOutbox } from '@/test/outbox'

const wire = vi.hoisted(() => ({ sendMessage: vi.fn(), showToast: vi.fn(), notifyMember: vi.fn() }))
vi.mock('@/lib/supabase/client', () => ({ supabase: {} }))
vi.mock('@/api/session/auth-context', () => ({ useMemberId: () => 'me' }))
vi.mock('@/api/notifications/notify-member', () => ({ notifyMember: wire.notifyMember }))
vi.mock('@/lib/toasts/toast', () => ({ showToast: wire.showToast }))
vi.mock('./api/mutations', () => ({ sendMessage: wire.sendMessage }))

const { messageHandler, useOutgoing } = await import('./outbox')
const { useSend } = await import('./use-send')

const online = { online: true, quality: 'good', combined: 'online', check: () => {} } as const
let end = () => {}

function setUp(isFree = true) {
  const client = new QueryClient()
  client.setQueryData(sharedKeys.profile('me'), { full_name: 'Ada Fontaine' })
  end = runTestOutbox(messageHandler(client))
  const takeBack = vi.fn(() => isFree)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <NetworkStatusContext value={online}>{children}</NetworkStatusContext>
    </QueryClientProvider>
  )
  const { result } = renderHook(() => ({ ...useSend('ben', takeBack), outgoing: useOutgoing('ben') }), { wrapper })
  return { hook: result, takeBack, write: (text: string) => act(() => result.current.send(text)) }
}

const sent = (id: string) => ({
  id,
  sender_id: 'me',
  recipient_id: 'ben',
  content: 'hello',
  file_url: null,
  read: false,
  created_at: '',
})
const arrives = ({ id }: { id: string }) => Promise.resolve(sent(id))

beforeEach(() => {
  Object.values(wire).forEach((fake) => fake.mockReset())
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => end())

test('§8.41 a sent message leaves the outbox, and the recipient is notified', async () => {
  wire.sendMessage.mockImplementation(arrives)
  const { hook, write } = setUp()
  await write('hello')
  expect(wire.showToast).toHaveBeenCalledExactlyOnceWith({ title: 'Message sent', id: 'message-sent' })
  expect(wire.sendMessage).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ sender_id: 'me', recipient_id: 'ben', content: 'hello', file_url: null }),
  )
  await waitFor(() => expect(hook.current.outgoing).toEqual([]))
  await waitFor(() =>
    expect(wire.notifyMember).toHaveBeenCalledWith(
      expect.objectContaining({ recipientId: 'ben', type: 'message', title: 'Ada Fontaine sent you a message' }),
    ),
  )
})

test('§17.2 its draft is given up once the outbox has it, and before it is sent', async () => {
  wire.sendMessage.mockImplementation(arrives)
  const { hook } = setUp()
  const kept = vi.fn(() => expect(wire.sendMessage).not.toHaveBeenCalled())
  await act(() => hook.current.send('hello', null, kept))
  expect(kept).toHaveBeenCalledOnce()
  expect(wire.sendMessage).toHaveBeenCalledOnce()
})

test('§8.18 §17.2 a message without an answer stays and waits, and another attempt is the same message', async () => {
  wire.sendMessage
    .mockRejectedValueOnce(new RequestError(0, { message: 'TypeError: Failed to fetch' }))
    .mockImplementation(arrives)
  const { hook, write } = setUp()
  await write('hello')
  expect(hook.current.outgoing).toMatchObject([{ content: 'hello', delivery: 'waiting' }])
  expect(wire.showToast).toHaveBeenCalledWith({
    title: 'Error sending message',
    description: 'There was a problem sending your message. Please try again.',
    variant: 'destructive',
  })
  const [waiting] = hook.current.outgoing
  act(() => hook.current.retry(waiting?.id ?? ''))
  await waitFor(() => expect(hook.current.outgoing).toEqual([]))
  const ids = wire.sendMessage.mock.calls.map(([message]: { id: string }[]) => message?.id)
  expect(ids).toEqual([waiting?.id, waiting?.id])
})

const limit = 'You have reached your daily limit for messages to non-connections'

test('§5.20 §5.21 a rejection shows its exact text and restores the draft', async () => {
  wire.sendMessage.mockRejectedValue(new RequestError(429, { code: 'PT429', message: limit }))
  const { hook, takeBack, write } = setUp()
  await write('hello')
  expect(takeBack).toHaveBeenCalledWith('hello')
  expect(wire.showToast).toHaveBeenCalledWith(expect.objectContaining({ description: limit, variant: 'destructive' }))
  await waitFor(() => expect(hook.current.outgoing).toEqual([]))
})

test('§17.2 a rejection stays in the conversation while another text is being written', async () => {
  wire.sendMessage.mockRejectedValue(new RequestError(429, { code: 'PT429', message: limit }))
  const { hook, write } = setUp(false)
  await write('hello')
  expect(hook.current.outgoing).toMatchObject([{ content: 'hello', delivery: 'refused', reason: limit }])
  act(() => hook.current.discard(hook.current.outgoing[0]?.id ?? ''))
  await waitFor(() => expect(hook.current.outgoing).toEqual([]))
})
