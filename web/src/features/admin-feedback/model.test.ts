import { expect, it } from 'vitest'
import { previewOf } from './model'

it('§9.16 a preview has 100 characters, counted in code points', () => {
  expect(previewOf('a'.repeat(100))).toBe('a'.repeat(100))
  expect(previewOf('🚒'.repeat(101))).toBe(`${'🚒'.repeat(100)}…`)
})
