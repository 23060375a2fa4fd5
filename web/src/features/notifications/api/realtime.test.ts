import { expect, test, vi } from 'vitest'

vi.mock('@/lib/supabase/client', () => ({ supabase: {} }))
const { mentionsPolicy } = await import('./realtime')

test('§4.40 §9.9 mentions are fetched up to 3 times, 2 s apart', () => {
  expect([0, 1, 2, 3].map((attempt) => mentionsPolicy.delayMs(attempt, attempt))).toEqual([2000, 2000, 2000, null])
})
