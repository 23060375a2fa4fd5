import { describe, expect, it, vi } from 'vitest'
import { logError } from './log'

describe('what the console is told', () => {
  it('§8.6 is a generic text where an error brings no words', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    logError('The feed', new Error(''))
    expect(log).toHaveBeenCalledWith('The feed: An error occurred. Check logs for details.')
  })
})
