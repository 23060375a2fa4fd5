import { expect, it } from 'vitest'
import { parseKept } from './kept-draft'
import { emptyDraft } from './model'

it('what was kept is read back', () => {
  const kept = { values: { ...emptyDraft, title: 'Half' }, version: '2026-11-23' }
  expect(parseKept(JSON.stringify(kept))).toEqual(kept)
  expect(parseKept(JSON.stringify({ values: emptyDraft }))).toEqual({ values: emptyDraft, version: null })
})

it.each([null, '', '{', '7', '{"values":{}}', JSON.stringify({ values: { ...emptyDraft, featured: 'yes' } })])(
  '%j is nothing',
  (json) => expect(parseKept(json)).toBeNull(),
)
