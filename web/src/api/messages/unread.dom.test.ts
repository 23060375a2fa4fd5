import { describe, expect, it } from 'vitest'
import { isWhole, withoutUnread, withUnread } from './unread'

const waiting = (...ids: string[]) => ids.map((id) => ({ id, sender_id: id.charAt(0) }))

describe('the number of unread messages', () => {
  it('a new message is counted once, however often its event arrives', () => {
    const once = withUnread({ total: 10_000, listed: waiting('a1') }, { id: 'a2', sender_id: 'a' })
    expect(once.total).toBe(10_001)
    expect(withUnread(once, { id: 'a2', sender_id: 'a' })).toEqual(once)
  })

  it('read messages are no longer counted; messages that are not listed stay counted', () => {
    const unread = { total: 10_000, listed: waiting('a1', 'b1', 'a2') }
    expect(withoutUnread(unread, ({ sender_id }) => sender_id === 'a')).toEqual({ total: 9_998, listed: waiting('b1') })
    expect(withoutUnread(unread, ({ id }) => id === 'c9')).toEqual(unread)
  })

  it('reports whether it lists all of them', () => {
    expect(isWhole({ total: 2, listed: waiting('a1', 'b1') })).toBe(true)
    expect(isWhole({ total: 0, listed: [] })).toBe(true)
    expect(isWhole({ total: 3, listed: waiting('a1', 'b1') })).toBe(false)
  })
})
