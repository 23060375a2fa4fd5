import { describe, expect, it } from 'vitest'
import { isWhole, withoutUnread, withUnread } from './unread'

const waiting = (...ids: string[]) => ids.map((id) => ({ id, sender_id: id.charAt(0) }))

describe('how many messages wait', () => {
  it('one that arrives is counted once, however often it is told of', () => {
    const once = withUnread({ total: 10_000, listed: waiting('a1') }, { id: 'a2', sender_id: 'a' })
    expect(once.total).toBe(10_001)
    expect(withUnread(once, { id: 'a2', sender_id: 'a' })).toEqual(once)
  })

  it('those that are read are no longer counted; those that are not listed stay', () => {
    const unread = { total: 10_000, listed: waiting('a1', 'b1', 'a2') }
    expect(withoutUnread(unread, ({ sender_id }) => sender_id === 'a')).toEqual({ total: 9_998, listed: waiting('b1') })
    expect(withoutUnread(unread, ({ id }) => id === 'c9')).toEqual(unread)
  })

  it('knows whether it lists them all', () => {
    expect(isWhole({ total: 2, listed: waiting('a1', 'b1') })).toBe(true)
    expect(isWhole({ total: 0, listed: [] })).toBe(true)
    expect(isWhole({ total: 3, listed: waiting('a1', 'b1') })).toBe(false)
  })
})
