import { expect, it } from 'vitest'
import { isUuid } from './uuid'

it('rejects what is not a UUID', () => {
  expect(isUuid('3e6f2c1a-0000-4000-8000-000000000001')).toBe(true)
  for (const other of ['', 'new', "' or 1=1", '3e6f2c1a-0000-4000-8000-000000000001 or 1=1'])
    expect(isUuid(other)).toBe(false)
})
