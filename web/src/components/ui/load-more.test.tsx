/** The end of a list is checked again after any other fetch in between. */
import { QueryClient, QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { LoadMore } from './load-more'

const key = ['numbers']

/** The end of the list is always in view; the observer reports it once, when it starts observing. */
class AlwaysNear {
  private on = true
  private readonly callback: IntersectionObserverCallback
  constructor(callback: IntersectionObserverCallback) {
    this.callback = callback
  }
  observe() {
    setTimeout(() => this.on && this.callback([{ isIntersecting: true }] as never, this as never))
  }
  disconnect() {
    this.on = false
  }
}

beforeEach(() => vi.stubGlobal('IntersectionObserver', AlwaysNear))

function Numbers({ ask }: { ask: (page: number) => Promise<number> }) {
  const list = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam }) => ask(pageParam),
    initialPageParam: 1,
    getNextPageParam: (last) => (last < 3 ? last + 1 : null),
  })
  return (
    <>
      <p>{list.data?.pages.join(' ')}</p>
      {list.hasNextPage && <LoadMore of={list} label="More" busyLabel="Loading" />}
    </>
  )
}

function listed(ask: (page: number) => Promise<number>) {
  const client = new QueryClient()
  render(
    <QueryClientProvider client={client}>
      <Numbers ask={ask} />
    </QueryClientProvider>,
  )
  return client
}

it('loads while its end is in view', async () => {
  listed((page) => Promise.resolve(page))
  expect(await screen.findByText('1 2 3')).toBeInTheDocument()
})

it('continues after a page load was canceled by a refetch of the whole list', async () => {
  let held = true
  const client = listed((page) => (page === 2 && held ? new Promise(() => {}) : Promise.resolve(page)))
  await screen.findByText('Loading')
  held = false
  await act(() => client.invalidateQueries({ queryKey: key }))
  expect(await screen.findByText('1 2 3')).toBeInTheDocument()
})

it('does not cancel a running fetch to load more', async () => {
  const requested: number[] = []
  let release = () => {}
  const client = listed((page) => {
    requested.push(page)
    if (requested.length < 4) return Promise.resolve(page)
    return new Promise((resolve) => (release = () => resolve(page)))
  })
  await screen.findByText('1 2 3')
  client.setQueryData(key, { pages: [1], pageParams: [1] })
  void client.invalidateQueries({ queryKey: key })
  await vi.waitFor(() => expect(requested).toHaveLength(4))
  expect(requested[3]).toBe(1)
  await act(() => Promise.resolve(release()))
  await vi.waitFor(() => expect(requested).toHaveLength(5))
  expect(requested[4]).toBe(2)
})
