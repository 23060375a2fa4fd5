import { describe, expect, test } from 'vitest'
import { defaultPrivacy, parsePrivacySettings } from './privacy-settings'

describe('§3.10 the stored value', () => {
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['a list', []],
    ['text', 'public'],
    ['a number', 3],
  ])('%s counts as null', (_, stored) => expect(parsePrivacySettings(stored)).toBeNull())

  test('§3.4 §3.5 §3.6 §3.7 §3.8 an empty object has every default', () => {
    expect(parsePrivacySettings({})).toEqual({ ...defaultPrivacy(), last_limit_reset: undefined })
  })

  test('fields of a wrong type fall back, §3.9 the last reset is kept as it is', () => {
    expect(
      parsePrivacySettings({
        profile_visibility: 7,
        connection_visibility: 'private',
        allow_messages_from_anyone: 'no',
        daily_message_limit_reached: true,
        non_connection_messages_today: '3',
        last_limit_reset: 12,
      }),
    ).toEqual({
      profile_visibility: 'public',
      connection_visibility: 'private',
      allow_messages_from_anyone: true,
      daily_message_limit_reached: true,
      non_connection_messages_today: 0,
      last_limit_reset: 12,
    })
  })
})
