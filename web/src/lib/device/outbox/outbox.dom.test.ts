import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { RequestError } from '@/lib/supabase/errors'
import { memoryStore } from '@/test/outbox'
import type { Draft, Entry } from './entry'
import { type Channel, createOutbox, type Handler } from './outbox'
import { Refused } from './verdict'

const draft = (id: string, lane = 'to ben'): Draft => ({ id, kind: 'message', lane, place: '/messages', payload: id })
const noNetwork = () => Promise.reject(new RequestError(0, { message: 'TypeError: Failed to fetch' }))

/** A device of one browser: its tabs share store, lock and channel. */
function device() {
  const store = memoryStore()
  const sent: string[] = []
  const after: string[] = []
  const shown: [string, boolean][] = []
  const state = { online: true, session: true, send: (_entry: Entry): Promise<unknown> => Promise.resolve(null) }
  const handler: Handler = {
    send: async (entry) => {
      const result = await state.send(entry)
      sent.push(entry.id)
      return result
    },
    sent: (entry, here) => void shown.push([entry.id, here]),
    after: async ({ id }) => void after.push(id),
  }
  let last = Promise.resolve()
  const heard = new Set<Parameters<Parameters<typeof createOutbox>[0]['openChannel']>[0]>()
  const openTab = (memberId = 'ada') => {
    const outbox = createOutbox({
      memberId,
      store,
      load: () => Promise.resolve(handler),
      maySend: () => Promise.resolve(state.session),
      isOnline: () => state.online,
      exclusively: (work) => (last = last.then(work)),
      openChannel: (listener): Channel => {
        heard.add(listener)
        return {
          post: (notice) => heard.forEach((one) => one !== listener && one(notice)),
          close: () => heard.delete(listener),
        }
      },
    })
    outbox.start()
    open.push(outbox)
    return outbox
  }
  return { openTab, state, sent, after, shown, kept: () => store.all('ada') }
}
const open: ReturnType<typeof createOutbox>[] = []

const goOnline = () => window.dispatchEvent(new Event('online'))

beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => {}))
afterEach(() => {
  open.splice(0).forEach((outbox) => outbox.stop())
  vi.useRealTimers()
})

describe('§17.2 what is written offline', () => {
  it('waits, and is sent once and in order when the network is back', async () => {
    const { openTab, state, sent, after, kept } = device()
    state.online = false
    const tab = openTab()
    for (const id of ['1', '2', '3']) expect(await tab.submit(draft(id), 'list')).toMatchObject({ state: 'waiting' })
    expect(tab.current().entries.map(({ id }) => id)).toEqual(['1', '2', '3'])
    state.online = true
    goOnline()
    await vi.waitFor(() => expect(after).toEqual(['1', '2', '3']))
    expect(sent).toEqual(['1', '2', '3'])
    await vi.waitFor(async () => expect(await kept()).toEqual([]))
    expect(tab.current().entries).toEqual([])
  })

  it('is sent by the next start, and only what follows is done for what was sent already', async () => {
    const { openTab, state, sent, after, kept } = device()
    state.online = false
    const tab = openTab()
    await tab.submit(draft('1'), 'list')
    await tab.submit(draft('2'), 'list')
    tab.stop()
    // The page is closed after the answer to the first one, before anything that follows it.
    state.online = true
    let close = () => {}
    state.send = () => Promise.resolve(close())
    const killed = openTab()
    close = () => {
      killed.stop()
      state.send = () => Promise.resolve(null)
    }
    await vi.waitFor(() => expect(sent).toEqual(['1']))
    expect((await kept()).map(({ id, state }) => [id, state])).toEqual([
      ['1', 'waiting'],
      ['2', 'waiting'],
    ])
    openTab()
    await vi.waitFor(() => expect(after).toEqual(['1', '2']))
    expect(sent).toEqual(['1', '1', '2']) // the same id again: the database has it once
  })

  it('is sent by one of several tabs, and all of them show it', async () => {
    const { openTab, sent, shown } = device()
    const [one, other] = [openTab(), openTab()]
    expect(await one.submit(draft('1'), 'form')).toMatchObject({ state: 'sent' })
    goOnline()
    await other.submit(draft('2'), 'list')
    await vi.waitFor(() => expect(shown).toHaveLength(4))
    expect(sent).toEqual(['1', '2'])
    expect(shown.filter(([, here]) => here)).toHaveLength(2)
    await vi.waitFor(() => expect([...one.current().entries, ...other.current().entries]).toEqual([]))
  })

  it('is tried again after a while without an answer, with the same id', async () => {
    vi.useFakeTimers()
    const { openTab, state, sent } = device()
    state.send = vi.fn(noNetwork)
    const tab = openTab()
    expect(await tab.submit(draft('1'), 'list')).toEqual({ state: 'waiting', tried: true })
    expect(tab.current().stalled).toBe(true)
    await vi.advanceTimersByTimeAsync(1_100)
    expect(state.send).toHaveBeenCalledTimes(2)
    state.send = () => Promise.resolve(null)
    await vi.advanceTimersByTimeAsync(2_100)
    expect(sent).toEqual(['1'])
    expect(tab.current()).toEqual({ entries: [], stalled: false })
  })

  it('holds up only its own lane when the server fails', async () => {
    const { openTab, state, sent } = device()
    state.online = false
    const tab = openTab()
    for (const [id, lane] of [
      ['1', 'a'],
      ['2', 'a'],
      ['3', 'b'],
    ] as const)
      await tab.submit(draft(id, lane), 'list')
    state.online = true
    state.send = ({ id }) =>
      id === '1' ? Promise.reject(new RequestError(503, { message: '' })) : Promise.resolve(null)
    goOnline()
    await vi.waitFor(() =>
      expect(tab.current().entries.map(({ id, failures }) => [id, failures])).toEqual([
        ['1', 1],
        ['2', 0],
      ]),
    )
    expect(sent).toEqual(['3'])
  })

  it('is refused where it was written: in its list, or back in its form', async () => {
    const { openTab, state, sent, kept } = device()
    state.send = ({ id }) => (id === 'no' ? Promise.reject(new Refused('Not any more.')) : Promise.resolve(null))
    const tab = openTab()
    const refusal = { code: 'PT409', message: 'Not any more.' }
    expect(await tab.submit(draft('no'), 'form')).toEqual({ state: 'refused', refusal })
    await vi.waitFor(async () => expect(await kept()).toEqual([]))
    expect(await tab.submit(draft('no'), 'list')).toEqual({ state: 'refused', refusal })
    expect(await tab.submit(draft('yes'), 'list')).toMatchObject({ state: 'sent' })
    expect(tab.current().entries).toMatchObject([{ id: 'no', state: 'refused', refusal }])
    expect(sent).toEqual(['yes'])
    state.send = () => Promise.resolve(null)
    await tab.retry('no')
    await vi.waitFor(() => expect(sent).toEqual(['yes', 'no']))
  })

  it('is given up by its form, and not lost, while another tab has the lock', async () => {
    vi.useFakeTimers()
    const { openTab, state, sent } = device()
    let thaw: (value: unknown) => void = () => undefined
    state.send = () => new Promise((resolve) => (thaw = resolve))
    void openTab().submit(draft('1', 'to cleo'), 'list')
    await vi.advanceTimersByTimeAsync(10)
    const here = openTab()
    const outcome = here.submit(draft('2'), 'form')
    await vi.advanceTimersByTimeAsync(10)
    expect(here.isInForm('2')).toBe(true)
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await outcome).toEqual({ state: 'waiting', tried: false })
    expect(here.isInForm('2')).toBe(false)
    state.send = () => Promise.resolve(null)
    thaw(null)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(sent).toContain('2')
  })

  it('is not sent once it was discarded', async () => {
    const { openTab, state, sent, kept } = device()
    state.online = false
    const tab = openTab()
    await tab.submit(draft('1'), 'list')
    await tab.submit(draft('2'), 'list')
    await tab.remove('1')
    state.online = true
    goOnline()
    await vi.waitFor(async () => expect(await kept()).toEqual([]))
    expect(sent).toEqual(['2'])
  })

  it('waits for the member’s own session', async () => {
    const { openTab, state, sent } = device()
    state.session = false
    const tab = openTab()
    expect(await tab.submit(draft('1'), 'form')).toEqual({ state: 'waiting', tried: false })
    expect(tab.current()).toMatchObject({ entries: [{ id: '1' }], stalled: true })
    expect(sent).toEqual([])
  })
})

it('§17.5 another member who signs in finds and sends nothing of the former', async () => {
  const { openTab, state, sent, kept } = device()
  state.online = false
  const tab = openTab()
  await tab.submit(draft('1'), 'list')
  tab.stop()
  state.online = true
  const next = openTab('ben')
  await vi.waitFor(async () => expect(await kept()).toEqual([]))
  expect(next.current().entries).toEqual([])
  expect(sent).toEqual([])
})
