import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { asOf } from './use-as-of'

const shown = (client: QueryClient, queryKey: string[]) => {
  new QueryObserver(client, { queryKey }).subscribe(() => undefined)
}
const active = (client: QueryClient) => asOf(client.getQueryCache().findAll({ type: 'active' }))

it('§17.1 a page without network is from when its oldest answer is', () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity, queryFn: () => 'x' } } })
  expect(active(client)).toBeNull()
  client.setQueryData(['feed', 'posts'], 'x', { updatedAt: 2_000 })
  client.setQueryData(['profiles', 'me'], 'x', { updatedAt: 1_000 })
  client.setQueryData(['messages', 'followed'], 'x', { updatedAt: 500 })
  client.setQueryData(['is-admin', 'me'], true, { updatedAt: 1 })
  shown(client, ['feed', 'posts'])
  shown(client, ['profiles', 'me'])
  shown(client, ['is-admin', 'me'])
  expect(active(client)).toBe(1_000)
  client.setDefaultOptions({ queries: { queryFn: () => new Promise(() => undefined) } })
  shown(client, ['certifications', 'me'])
  expect(active(client)).toBe('missing')
  client.clear()
})
