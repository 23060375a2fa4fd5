import { describe, expect, it, vi } from 'vitest'
import { logError } from './log'

describe('the message in the console', () => {
  it('§8.6 is a generic text when an error has no message', () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    logError('The feed', new Error(''))
    logError('The feed', {})
    expect(log).toHaveBeenCalledTimes(2)
    expect(log).toHaveBeenLastCalledWith('The feed: An error occurred. Check logs for details.')
  })

  it.each([
    ['of an error', new Error('gone')],
    ['of an answer of the database', { message: 'gone', code: '42501' }],
    ['that was written', 'gone'],
  ])('is the one %s', (_what, cause) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    logError('The feed', cause)
    expect(log).toHaveBeenLastCalledWith('The feed: gone')
  })
})
