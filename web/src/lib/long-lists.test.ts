import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { catchUp, trimPages } from './long-lists'

const pagesOf = (count: number) => ({
  pages: Array.from({ length: count }, (_, i) => [i]),
  pageParams: Array.from({ length: count }, (_, i) => i),
})

it('keeps the first pages, and leaves what is no list alone', () => {
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

it('closes a gap with five pages at most', async () => {
  const client = new QueryClient()
  const queryFn = vi.fn(({ pageParam }: { pageParam: number }) => Promise.resolve([pageParam]))
  client.setQueryData(['a', 'list'], pagesOf(125))
  const { InfiniteQueryObserver } = await import('@tanstack/react-query')
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

it('does not take an answer that was on its way for one from after the gap', async () => {
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
