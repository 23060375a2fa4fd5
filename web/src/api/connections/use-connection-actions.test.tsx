import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook, waitFor } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Paged, rowsOf } from '@/lib/live-lists/keyset'
import { sharedKeys } from '@/api/keys'
import { NetworkStatusContext } from '@/lib/browser/connectivity/network-status'
import { Refused } from '@/lib/device/outbox/verdict'
import { RequestError } from '@/lib/supabase/errors'
import { runTestOutbox } from '@/test/outbox'
import { connectionKeys } from './keys'
import type { ListedConnection, ConnectionsByMember } from './model'

const wire = vi.hoisted(() => ({
  requestConnection: vi.fn(),
  answerConnection: vi.fn(),
  deleteConnection: vi.fn(),
  showToast: vi.fn(),
  notifyMember: vi.fn(),
}))
vi.mock('@/lib/supabase/client', () => ({ supabase: {} }))
vi.mock('@/api/session/auth-context', () => ({ useMemberId: () => 'me' }))
vi.mock('@/api/notifications/notify-member', () => ({ notifyMember: wire.notifyMember }))
vi.mock('@/lib/toasts/toast', () => ({ showToast: wire.showToast }))
const followed = vi.hoisted(() => vi.fn())
vi.mock('./cache', () => ({ followConnections: followed }))
vi.mock('./mutations', () => wire)

const { connectionHandler, useUnsentAction } = await import('./outbox')
const { useConnectionActions } = await import('./use-connection-actions')

const network = { quality: 'good', combined: 'online', check: () => {} } as const
let end = () => {}
afterEach(() => {
  end()
  vi.restoreAllMocks()
})

const connection = { connectionId: 'c1', connectionStatus: 'pending', isRequester: false } as const
const ben: ListedConnection = { ...connection, otherId: 'ben', profile: null, created_at: '2026-01-01T00:00:00Z' }
const other = { otherId: 'ben', profile: null, connection }

function setUp() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false }, mutations: { retry: false } } })
  client.setQueryData(sharedKeys.profile('me'), { full_name: 'Ada Fontaine', position: null, department: null })
  client.setQueryData(connectionKeys.count('me', 'pending-requests'), 1)
  client.setQueryData(connectionKeys.count('me', 'connections'), 4)
  client.setQueryData(connectionKeys.list('me', 'pending-requests'), {
    pages: [{ rows: [ben], more: false }],
    pageParams: [null],
  })
  client.setQueryData(connectionKeys.pairsWith('me', ['ben']), { ben: connection })
  end = runTestOutbox(connectionHandler(client))
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <NetworkStatusContext value={{ ...network, online: navigator.onLine }}>{children}</NetworkStatusContext>
    </QueryClientProvider>
  )
  const { result } = renderHook(() => ({ ...useConnectionActions(), unsent: useUnsentAction('ben') }), { wrapper })
  return {
    runAction: (action: Parameters<typeof result.current.runAction>[0], whom = {}) =>
      act(() => result.current.runAction(action, { ...other, ...whom })),
    unsent: () => result.current.unsent,
    waiting: () => client.getQueryData<number>(connectionKeys.count('me', 'pending-requests')),
    listed: () =>
      rowsOf(client.getQueryData<Paged<ListedConnection>>(connectionKeys.list('me', 'pending-requests'))).map(
        ({ otherId }) => otherId,
      ),
    connections: () => client.getQueryData<ConnectionsByMember>(connectionKeys.pairsWith('me', ['ben'])),
  }
}

const toasts = () => wire.showToast.mock.calls.map(([notice]: { title: string; variant?: string }[]) => notice)

beforeEach(() => {
  Object.values(wire).forEach((fake) => fake.mockReset())
  followed.mockReset().mockResolvedValue(undefined)
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

describe('§4.18 answering', () => {
  test('§8.43 accepting shows before the server has answered, and notifies the requester', async () => {
    let answer = () => {}
    wire.answerConnection.mockReturnValue(new Promise<void>((done) => (answer = done)))
    const network = setUp()
    network.runAction('accept')
    await waitFor(() => expect(network.waiting()).toBe(0))
    expect(network.listed()).toEqual([])
    expect(network.connections()?.ben?.connectionStatus).toBe('accepted')
    expect(wire.showToast).not.toHaveBeenCalled()
    act(() => answer())
    await waitFor(() =>
      expect(toasts()).toEqual([
        { title: 'Connection accepted', description: 'You are now connected with this user.' },
      ]),
    )
    expect(wire.notifyMember).toHaveBeenCalledWith(
      expect.objectContaining({
        recipientId: 'ben',
        type: 'connection',
        title: 'Ada Fontaine accepted your request',
        url: '/profile/me',
      }),
    )
  })

  test.each(['accept', 'decline', 'remove'] as const)(
    '§8.19 a rejected %s is rolled back: Action failed',
    async (action) => {
      const refusal = new Refused('This request is no longer waiting for an answer.')
      wire.answerConnection.mockRejectedValue(refusal)
      wire.deleteConnection.mockRejectedValue(refusal)
      const network = setUp()
      network.runAction(action)
      await waitFor(() =>
        expect(toasts()).toEqual([{ title: 'Action failed', description: refusal.message, variant: 'destructive' }]),
      )
      expect(network.waiting()).toBe(1)
      expect(network.listed()).toEqual(['ben'])
      expect(network.connections()).toEqual({ ben: connection })
      expect(wire.notifyMember).not.toHaveBeenCalled()
    },
  )

  test('§8.45 §4.19 removing', async () => {
    wire.deleteConnection.mockResolvedValue(undefined)
    const network = setUp()
    network.runAction('remove', { connection: { ...connection, connectionStatus: 'accepted' } })
    await waitFor(() => expect(toasts()).toEqual([{ title: 'Connection removed' }]))
    expect(wire.deleteConnection).toHaveBeenCalledWith('c1')
    expect(network.connections()).toEqual({})
  })

  test('§8.44 declining', async () => {
    wire.answerConnection.mockResolvedValue(undefined)
    setUp().runAction('decline')
    await waitFor(() => expect(toasts()).toEqual([{ title: 'Connection declined' }]))
    expect(wire.answerConnection).toHaveBeenCalledWith('c1', 'declined')
    expect(followed).toHaveBeenCalledWith(expect.anything(), 'me', ['c1'])
  })
})

describe('§4.17 requesting', () => {
  test('§8.42 a successful request notifies the recipient', async () => {
    wire.requestConnection.mockResolvedValue({ connection: { ...connection, isRequester: true }, made: true })
    setUp().runAction('request', { connection: undefined })
    await waitFor(() => expect(toasts()).toEqual([{ title: 'Connection request sent' }]))
    // The notification leads to the request, where it is answered.
    expect(wire.notifyMember).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ recipientId: 'ben', url: '/network?tab=pending-requests' }),
    )
  })

  test('§4.20 when a connection exists nothing is sent and nobody is notified', async () => {
    wire.requestConnection.mockResolvedValue({
      connection: { ...connection, connectionStatus: 'accepted' },
      made: false,
    })
    const network = setUp()
    network.runAction('request', { connection: undefined })
    await waitFor(() => expect(wire.requestConnection).toHaveBeenCalledOnce())
    expect(wire.showToast).not.toHaveBeenCalled()
    expect(wire.notifyMember).not.toHaveBeenCalled()
  })

  test('§8.19 a rejected request: Request failed', async () => {
    wire.requestConnection.mockRejectedValue(new Refused(''))
    setUp().runAction('request', { connection: undefined })
    await waitFor(() =>
      expect(toasts()).toEqual([{ title: 'Request failed', description: 'Please try again.', variant: 'destructive' }]),
    )
  })
})

describe('§17.2 answering without network', () => {
  const online = (value: boolean) => vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(value)

  test('waits, says so, and is sent once the network is back', async () => {
    wire.answerConnection.mockResolvedValue(undefined)
    online(false)
    const { runAction, unsent, waiting, connections } = setUp()
    runAction('accept')
    await waitFor(() => expect(unsent()).toMatchObject({ payload: { action: 'accept' }, delivery: 'waiting' }))
    expect(waiting()).toBe(1)
    expect(connections()).toEqual({ ben: connection })
    expect(wire.answerConnection).not.toHaveBeenCalled()
    online(true)
    act(() => void window.dispatchEvent(new Event('online')))
    await waitFor(() => expect(unsent()).toBeUndefined())
    expect(toasts()).toMatchObject([{ title: 'Connection accepted' }])
    expect(wire.answerConnection).toHaveBeenCalledExactlyOnceWith('c1', 'accepted')
  })

  test('a request that is gone meanwhile is refused where it was answered', async () => {
    online(false)
    const { runAction, unsent } = setUp()
    wire.answerConnection.mockRejectedValue(new Refused('This request is no longer waiting for an answer.'))
    runAction('accept')
    await waitFor(() => expect(unsent()).toBeDefined())
    online(true)
    act(() => void window.dispatchEvent(new Event('online')))
    await waitFor(() => expect(unsent()?.delivery).toBe('refused'))
    expect(unsent()?.refusal?.message).toBe('This request is no longer waiting for an answer.')
  })

  test('without an answer it is rolled back and waits', async () => {
    wire.answerConnection.mockRejectedValue(new RequestError(0, { message: 'TypeError: Failed to fetch' }))
    const { runAction, unsent, waiting } = setUp()
    runAction('accept')
    await waitFor(() => expect(unsent()?.delivery).toBe('waiting'))
    await waitFor(() => expect(waiting()).toBe(1))
    expect(toasts()).toEqual([])
  })
})

test('clicks before the next render count once', async () => {
  let answer: () => void = () => {}
  wire.answerConnection.mockImplementation(() => new Promise<void>((resolve) => (answer = resolve)))
  const { runAction } = setUp()
  runAction('accept')
  runAction('accept')
  runAction('decline')
  await waitFor(() => expect(wire.answerConnection).toHaveBeenCalled())
  answer()
  await waitFor(() => expect(toasts()).toHaveLength(1))
  expect(wire.answerConnection).toHaveBeenCalledOnce()
  runAction('accept', { otherId: 'cleo' })
  await waitFor(() => expect(wire.answerConnection).toHaveBeenCalledTimes(2))
})
