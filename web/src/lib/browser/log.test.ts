import { describe, expect, it, vi } from 'vitest'
import { logError } from './log'

describe('the message in the console', () => {
  it('§8.6 is a generic text when an error has no message', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    logError('The feed', new Error(''))
    expect(log).toHaveBeenCalledWith('The feed: An error occurred. Check logs for details.')
  })
})
