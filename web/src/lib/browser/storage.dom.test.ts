import { describe, expect, it, vi } from 'vitest'
import { readStored, writeStored } from './storage'

describe('browser storage', () => {
  it('reads, writes and removes; when storage is blocked nothing is stored and nothing throws', () => {
    writeStored('localStorage', 'k', 'v')
    expect(readStored('localStorage', 'k')).toBe('v')
    writeStored('localStorage', 'k', null)
    expect(readStored('localStorage', 'k')).toBeNull()
    const denied = () => {
      throw new DOMException('denied', 'SecurityError')
    }
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(denied)
    vi.spyOn(Storage.prototype, 'getItem').mockImplementation(denied)
    writeStored('sessionStorage', 'k', 'v')
    const read = readStored('sessionStorage', 'k')
    vi.restoreAllMocks()
    expect(read).toBeNull()
  })
})
