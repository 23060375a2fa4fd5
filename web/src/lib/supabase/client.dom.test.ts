import { expect, it, vi } from 'vitest'
import { supabase } from './client'

it('§7.54 the client requests at most 2 realtime events a second', () => {
  expect(new URL(supabase.realtime.endpointURL()).searchParams.get('eventsPerSecond')).toBe('2')
})

it('§9.35 heartbeat every 30 s, time-out 10 s, reconnecting after 1, 2, 5, then 10 s', () => {
  expect(supabase.realtime.heartbeatIntervalMs).toBe(30_000)
  expect(supabase.realtime.timeout).toBe(10_000)
  expect([1, 2, 3, 4, 5, 60].map((tries) => supabase.realtime.reconnectAfterMs(tries))).toEqual([
    1_000, 2_000, 5_000, 10_000, 10_000, 10_000,
  ])
})

it('§7.47, §9.35 checks every 30 s whether the token must be refreshed', async () => {
  const every = vi.spyOn(globalThis, 'setInterval')
  await supabase.auth.startAutoRefresh()
  expect(every.mock.calls.map(([, ms]) => ms)).toEqual([30_000])
  await supabase.auth.stopAutoRefresh()
})

it('§7.46 asking for a mail outlives the page that asked', async () => {
  const sent = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('{}'))
  await supabase.functions.invoke('send-notification-email', { body: {} })
  await supabase.from('waitlist').select()
  expect(sent.mock.calls.map(([, init]) => init?.keepalive ?? false)).toEqual([true, false])
})
