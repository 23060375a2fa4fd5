import { describe, expect, it } from 'vitest'
import { backoffMs } from '@/config/limits'
import { isNetworkError } from './errors'
import { makeQueryClient } from './query-client'

describe('the query client', () => {
  it('§9.31 is fresh for 5 minutes, kept for 30, and does not refetch on focus; §9.33 mutations are not retried', () => {
    const { queries, mutations } = makeQueryClient().getDefaultOptions()
    expect(queries).toMatchObject({ staleTime: 300_000, gcTime: 1_800_000, refetchOnWindowFocus: false })
    expect(mutations).toMatchObject({ retry: false })
  })

  it('§9.32 retries once, never after a network error, backing off from 1 s to 30 s', () => {
    const retry = makeQueryClient().getDefaultOptions().queries?.retry as (failures: number, error: Error) => boolean
    expect([retry(0, new Error('500')), retry(1, new Error('500'))]).toEqual([true, false])
    expect(retry(0, new TypeError('Failed to fetch'))).toBe(false)
    expect(isNetworkError(new Error('TypeError: Failed to fetch'))).toBe(true)
    expect([0, 1, 2, 3, 4, 5, 9].map(backoffMs)).toEqual([1000, 2000, 4000, 8000, 16000, 30000, 30000])
  })
})
