import { dehydrate, hydrate, QueryClient } from '@tanstack/react-query'
import { describe, expect, it, vi } from 'vitest'
import { bounded, fresh, isKept, keptForMs, outdated } from './kept-queries'

const keep = (client: QueryClient) => bounded(dehydrate(client, { shouldDehydrateQuery: () => true }))
const keysOf = (state: ReturnType<typeof keep>) => state.queries.map(({ queryKey }) => queryKey[0])

describe('what is kept on the device (§17.1)', () => {
  it.each([
    ['the feed', ['feed', 'posts', { kind: null, authorId: null }], true],
    ['a thread', ['messages', 'followed', 'thread', 'me', 'ben'], true],
    ['the own profile', ['profiles', 'me'], true],
    ['the own certifications', ['certifications', 'me'], true],
    ['whether the member may be here', ['profiles', 'me', 'standing'], false],
    ['whether the member is an admin', ['is-admin', 'me'], false],
    ['the admin area', ['admin', 'waitlist'], false],
    ['a file', ['file', 'scans/1'], false],
    ['a search', ['search', 'posts', 'truss'], false],
  ])('%s', (_name, key, want) => {
    expect(isKept(key)).toBe(want)
  })

  it('has only answers that a database can store', () => {
    const client = new QueryClient()
    client.setQueryData(['nothing'], null)
    client.setQueryData(['feed'], [1])
    client
      .getQueryCache()
      .find({ queryKey: ['feed'] })
      ?.setOptions({ queryKey: ['feed'], meta: { outline: { of: () => '', ask: () => Promise.resolve([]) } } })
    const state = keep(client)
    expect(keysOf(state)).toEqual(['feed'])
    expect(structuredClone(state)).toEqual(state)
  })

  it('stays when asking again fails', async () => {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
    client.setQueryData(['feed'], 'x', { updatedAt: 1_000 })
    await client.prefetchQuery({ queryKey: ['feed'], queryFn: () => Promise.reject(new Error('Failed to fetch')) })
    expect(client.getQueryState(['feed'])?.status).toBe('error')
    const [query] = keep(client).queries
    expect(query?.state).toMatchObject({ status: 'success', data: 'x', dataUpdatedAt: 1_000, error: null })
  })

  it('is asked for again when it is shown', async () => {
    const before = new QueryClient()
    before.setQueryData(['feed'], 'then')
    const client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
    hydrate(client, outdated(keep(before)))
    expect(client.getQueryData(['feed'])).toBe('then')
    const queryFn = () => Promise.resolve('now')
    await expect(client.ensureQueryData({ queryKey: ['feed'], queryFn, revalidateIfStale: true })).resolves.toBe('then')
    await vi.waitFor(() => expect(client.getQueryData(['feed'])).toBe('now'))
  })

  it('is the newest, and of lists the first two pages', () => {
    const client = new QueryClient()
    for (let i = 0; i < 70; i++) client.setQueryData([i], 'x', { updatedAt: 1_000 + i })
    client.setQueryData(['long'], { pages: [1, 2, 3], pageParams: [null, 'a', 'b'] }, { updatedAt: 2_000 })
    const state = keep(client)
    expect(state.queries).toHaveLength(60)
    expect(keysOf(state).slice(0, 2)).toEqual(['long', 69])
    expect(state.queries[0]?.state.data).toEqual({ pages: [1, 2], pageParams: [null, 'a'] })
  })

  it('ends at three million characters, the largest answer left out', () => {
    const client = new QueryClient()
    client.setQueryData(['small'], 'x', { updatedAt: 2 })
    client.setQueryData(['huge'], 'x'.repeat(4_000_000), { updatedAt: 1 })
    expect(keysOf(keep(client))).toEqual(['small'])
  })

  it('is not shown after two weeks', () => {
    const client = new QueryClient()
    client.setQueryData(['feed'], 'x', { updatedAt: 1_000 })
    const state = keep(client)
    expect(keysOf(fresh(state, 1_000 + keptForMs - 1))).toEqual(['feed'])
    expect(keysOf(fresh(state, 1_000 + keptForMs))).toEqual([])
  })
})
