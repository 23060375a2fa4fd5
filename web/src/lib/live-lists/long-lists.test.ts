import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { describe, expect, it, vi } from 'vitest'
import { outlineOf, type Page } from './keyset'
import { afterAnswers, catchUp, trimPages } from './long-lists'

const pagesOf = (count: number) => ({
  pages: Array.from({ length: count }, (_, i) => [i]),
  pageParams: Array.from({ length: count }, (_, i) => i),
})

it('keeps the first pages, and ignores queries that are not lists', () => {
  const client = new QueryClient()
  client.setQueryData(['a', 'list'], pagesOf(125), { updatedAt: 7 })
  client.setQueryData(['a', 'short'], pagesOf(2))
  client.setQueryData(['a', 'count'], 3)
  trimPages(client, ['a'], 10)
  expect(client.getQueryData(['a', 'list'])).toEqual(pagesOf(10))
  expect(client.getQueryState(['a', 'list'])?.dataUpdatedAt).toBe(7)
  expect(client.getQueryData(['a', 'short'])).toEqual(pagesOf(2))
  expect(client.getQueryData(['a', 'count'])).toBe(3)
})

it('refetches five pages at most after a gap', async () => {
  const client = new QueryClient()
  const queryFn = vi.fn(({ pageParam }: { pageParam: number }) => Promise.resolve([pageParam]))
  client.setQueryData(['a', 'list'], pagesOf(125))
  const observer = new InfiniteQueryObserver(client, {
    queryKey: ['a', 'list'],
    queryFn,
    initialPageParam: 0,
    staleTime: Infinity,
    getNextPageParam: (_page: number[], _pages, last: number) => last + 1,
  })
  const end = observer.subscribe(() => {})
  catchUp(client, ['a'])
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(5))
  await vi.waitFor(() => expect(client.isFetching()).toBe(0))
  expect(queryFn).toHaveBeenCalledTimes(5)
  end()
})

it('does not mistake a response requested before the gap for a current one', async () => {
  const client = new QueryClient()
  const answers: ((rows: string[]) => void)[] = []
  const queryFn = vi.fn(() => new Promise<string[]>((answer) => answers.push(answer)))
  const observer = new QueryObserver(client, { queryKey: ['a', 'list'], queryFn, retry: false })
  const end = observer.subscribe(() => {})
  catchUp(client, ['a'])
  await vi.waitFor(() => expect(queryFn).toHaveBeenCalledTimes(2))
  answers[0]?.(['from before'])
  answers[1]?.(['from before', 'in the gap'])
  await vi.waitFor(() => expect(client.getQueryData(['a', 'list'])).toEqual(['from before', 'in the gap']))
  expect(observer.getCurrentResult().status).toBe('success')
  end()
})

it('acts again after each answer that a change may have outrun, and only then', async () => {
  const client = new QueryClient()
  const answers: ((rows: string[]) => void)[] = []
  const queryFn = vi.fn(() => new Promise<string[]>((answer) => answers.push(answer)))
  const end = new QueryObserver(client, { queryKey: ['a', 'list'], queryFn, retry: false }).subscribe(() => {})
  client.setQueryData(['a', 'idle'], ['known'])
  const put = vi.fn(() => client.setQueryData<string[]>(['a', 'list'], (rows) => rows && [...rows, 'changed']))
  afterAnswers(client, ['a'], put)
  expect(put).not.toHaveBeenCalled()
  answers[0]?.(['from before'])
  await vi.waitFor(() => expect(client.getQueryData(['a', 'list'])).toEqual(['from before', 'changed']))
  afterAnswers(client, ['a'], put)
  expect(put).toHaveBeenCalledTimes(1)
  expect(queryFn).toHaveBeenCalledTimes(1)
  end()
})

describe('a list with an outline', () => {
  interface Row {
    id: number
    read: boolean
  }
  const rows = (...reads: boolean[]): Row[] => reads.map((read, id) => ({ id, read }))
  const outline = ({ id, read }: Row) => `${id} ${read}`

  /** Loaded once, with `shown`; then the subscription is confirmed, and the database has `now`. */
  const follow = async (shown: Row[], ask: (count: number) => Promise<Row[]>) => {
    const client = new QueryClient()
    const queryFn = vi.fn(() => Promise.resolve<Page<Row>>({ rows: shown, more: false, early: true }))
    const observer = new InfiniteQueryObserver(client, {
      queryKey: ['a', 'list'],
      queryFn,
      initialPageParam: null,
      staleTime: Infinity,
      getNextPageParam: () => undefined,
      meta: { outline: outlineOf(outline, async (count) => (await ask(count)).map(outline)) },
    })
    const end = observer.subscribe(() => {})
    await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true))
    const requested = vi.fn()
    const count = vi.fn(() => (requested(), Promise.resolve(1)))
    const counted = new QueryObserver(client, { queryKey: ['a', 'count'], queryFn: count, staleTime: Infinity })
    const endCount = counted.subscribe(() => {})
    await vi.waitFor(() => expect(count).toHaveBeenCalledOnce())
    catchUp(client, ['a'])
    // Queries without an outline are refetched: by then the list has been compared, or is being fetched.
    await vi.waitFor(() => expect(count).toHaveBeenCalledTimes(2))
    await vi.waitFor(() => expect(client.isFetching()).toBe(0))
    await new Promise((go) => setTimeout(go))
    end()
    endCount()
    return queryFn
  }

  it('is not refetched when nothing was missed', async () => {
    const ask = vi.fn(() => Promise.resolve(rows(true, false)))
    expect(await follow(rows(true, false), ask)).toHaveBeenCalledOnce()
    expect(ask).toHaveBeenCalledExactlyOnceWith(2)
  })

  it.each([
    ['a row came', rows(true, false, false)],
    ['a row changed', rows(true, true)],
    ['a row went', rows(true)],
    ['all went', []],
  ])('is fetched again when %s', async (_what, now) => {
    expect(await follow(rows(true, false), (count) => Promise.resolve(now.slice(-count)))).toHaveBeenCalledTimes(2)
  })

  it('requests one row for an empty list', async () => {
    const ask = vi.fn(() => Promise.resolve(rows()))
    expect(await follow([], ask)).toHaveBeenCalledOnce()
    expect(ask).toHaveBeenCalledExactlyOnceWith(1)
  })

  it('is refetched when it cannot be compared', async () => {
    expect(await follow(rows(true), () => Promise.reject(new Error('down')))).toHaveBeenCalledTimes(2)
  })

  it.each([
    ['sent before', true, 2],
    ['sent in time', false, 1],
  ])('a first answer that is under way, %s, is waited for', async (_when, early, times) => {
    const client = new QueryClient()
    let answer: (page: Page<Row>) => void = () => {}
    const queryFn = vi.fn(() => new Promise<Page<Row>>((resolve) => (answer = resolve)))
    const ask = vi.fn(() => Promise.resolve(['0 false']))
    const observer = new InfiniteQueryObserver(client, {
      queryKey: ['a', 'list'],
      queryFn,
      initialPageParam: null,
      getNextPageParam: () => undefined,
      meta: { outline: outlineOf(outline, ask) },
    })
    const end = observer.subscribe(() => {})
    catchUp(client, ['a'])
    expect(ask).not.toHaveBeenCalled()
    answer({ rows: [], more: false, early })
    await vi.waitFor(() => expect(observer.getCurrentResult().isSuccess).toBe(true))
    await new Promise((go) => setTimeout(go))
    expect(queryFn).toHaveBeenCalledTimes(times)
    expect(ask).toHaveBeenCalledTimes(times - 1)
    end()
  })
})
