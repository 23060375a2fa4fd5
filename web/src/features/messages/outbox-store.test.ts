import { afterEach, describe, expect, it } from 'vitest'
import { keepOutbox, readOutbox } from './outbox-store'

const one = { id: 'm1', content: 'Hello', file_url: null, created_at: '2026-01-05T12:00:00Z', failed: false }

describe('outgoing messages after a reload', () => {
  afterEach(() => sessionStorage.clear())

  it('are restored as failed, for their own conversation only', () => {
    keepOutbox('me', 'ben', [one])
    expect(readOutbox('me', 'ben')).toEqual([{ ...one, failed: true }])
    expect(readOutbox('me', 'cleo')).toEqual([])
    expect(readOutbox('you', 'ben')).toEqual([])
  })

  it('are removed once they are sent', () => {
    keepOutbox('me', 'ben', [one])
    keepOutbox('me', 'ben', [])
    expect(sessionStorage).toHaveLength(0)
  })

  it.each(['{', 'null', '{"id":"m1"}', '[7, null, {"id": "m1"}, {"id": 7, "content": "", "created_at": ""}]'])(
    'none where they are damaged: %s',
    (stored) => {
      sessionStorage.setItem('muster:outbox:me:ben', stored)
      expect(readOutbox('me', 'ben')).toEqual([])
    },
  )
})
