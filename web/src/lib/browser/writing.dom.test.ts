import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { isWriting, watchWriting, whenNobodyWrites } from './writing'

describe('a new version never comes in the middle of writing (§17.4)', () => {
  let stop: () => void
  beforeEach(() => (stop = watchWriting()))
  afterEach(() => {
    stop()
    document.body.replaceChildren()
  })

  const type = (tag: 'textarea' | 'input', value: string, kind = 'text') => {
    const field = Object.assign(document.createElement(tag), tag === 'input' ? { type: kind } : {})
    document.body.append(field)
    field.value = value
    field.dispatchEvent(new Event('input', { bubbles: true }))
    return field
  }

  it('what was typed counts until it is sent, removed, or its page is left', () => {
    expect(isWriting()).toBe(false)
    const box = type('textarea', 'Coffee')
    expect(isWriting()).toBe(true)
    box.value = ''
    expect(isWriting()).toBe(false)
    const name = type('input', 'Ada')
    expect(isWriting()).toBe(true)
    name.remove()
    expect(isWriting()).toBe(false)
  })

  it('a choice or a search is not writing', () => {
    type('input', 'on', 'checkbox')
    type('input', 'truss', 'search')
    expect(isWriting()).toBe(false)
  })

  it('the update waits until then', async () => {
    vi.useFakeTimers()
    const box = type('textarea', 'Coffee')
    const update = vi.fn(() => Promise.resolve())
    const done = whenNobodyWrites(update)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(update).not.toHaveBeenCalled()
    box.value = ''
    await vi.advanceTimersByTimeAsync(1_000)
    await done
    expect(update).toHaveBeenCalledTimes(1)
    vi.useRealTimers()
  })
})
