import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { sharedKeys } from '@/api/keys'
import { messageKeys } from '@/api/messages/keys'
import type { Outgoing } from './model'

const wire = vi.hoisted(() => ({ sendMessage: vi.fn(), showToast: vi.fn(), notifyMember: vi.fn() }))
const { Refusal } = vi.hoisted(() => ({ Refusal: class Refusal extends Error {} }))
vi.mock('@/lib/supabase/client', () => ({ supabase: {} }))
vi.mock('@/api/session/auth-context', () => ({ useMemberId: () => 'me' }))
vi.mock('@/api/notifications/notify-member', () => ({ notifyMember: wire.notifyMember }))
vi.mock('@/lib/toasts/toast', () => ({ showToast: wire.showToast }))
vi.mock('./api/mutations', () => ({ sendMessage: wire.sendMessage, Refusal }))

const { useSend } = await import('./use-send')

function setUp() {
  const client = new QueryClient()
  client.setQueryData(sharedKeys.profile('me'), { full_name: 'Ada Fontaine' })
  const refused = vi.fn()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { result } = renderHook(() => useSend('ben', refused), { wrapper })
  return {
    hook: result.current,
    refused,
    outbox: () => client.getQueryData<Outgoing[]>(messageKeys.outbox('me', 'ben')) ?? [],
  }
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

beforeEach(() => {
  Object.values(wire).forEach((fake) => fake.mockReset())
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

test('§8.41 a sent message leaves the outbox, and the recipient is notified', async () => {
  wire.sendMessage.mockImplementation(({ id }: { id: string }) => Promise.resolve(sent(id)))
  const { hook, outbox } = setUp()
  act(() => hook.send('hello'))
  await waitFor(() => expect(wire.showToast).toHaveBeenCalledWith({ title: 'Message sent', id: 'message-sent' }))
  expect(outbox()).toEqual([])
  await waitFor(() =>
    expect(wire.notifyMember).toHaveBeenCalledWith(
      expect.objectContaining({ recipientId: 'ben', type: 'message', title: 'Ada Fontaine sent you a message' }),
    ),
  )
})

test('§8.18 a failed message stays, and a retry is the same message', async () => {
  wire.sendMessage
    .mockRejectedValueOnce(new Error('network'))
    .mockImplementation(({ id }: { id: string }) => Promise.resolve(sent(id)))
  const { hook, outbox } = setUp()
  act(() => hook.send('hello'))
  await waitFor(() => expect(outbox()[0]?.failed).toBe(true))
  expect(wire.showToast).toHaveBeenCalledWith({
    title: 'Error sending message',
    description: 'There was a problem sending your message. Please try again.',
    variant: 'destructive',
  })
  const [failed] = outbox()
  if (!failed) throw new Error('nothing was kept')
  act(() => hook.retry(failed))
  await waitFor(() => expect(outbox()).toEqual([]))
  const ids = wire.sendMessage.mock.calls.map(([message]: { id: string }[]) => message?.id)
  expect(ids).toEqual([failed.id, failed.id])
})

test('§5.20 §5.21 a rejection shows its exact text and restores the draft', async () => {
  const message = 'You have reached your daily limit for messages to non-connections'
  wire.sendMessage.mockRejectedValue(new Refusal(message))
  const { hook, outbox, refused } = setUp()
  act(() => hook.send('hello'))
  await waitFor(() => expect(refused).toHaveBeenCalledWith('hello'))
  expect(outbox()).toEqual([])
  expect(wire.showToast).toHaveBeenCalledWith(expect.objectContaining({ description: message, variant: 'destructive' }))
})
