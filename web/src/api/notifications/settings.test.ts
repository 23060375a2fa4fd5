import { describe, expect, test } from 'vitest'
import {
  defaultSettings,
  isAlerting,
  isMailOnly,
  isShown,
  preferenceKeys,
  preferenceOf,
  type NotificationSettings,
  parseNotificationSettings,
  typeFilter,
  wantsEmail,
} from './settings'

const changed = (kind: keyof NotificationSettings['preferences'], change: object, top: object = {}) => {
  const settings = defaultSettings()
  return {
    ...settings,
    ...top,
    preferences: { ...settings.preferences, [kind]: { ...settings.preferences[kind], ...change } },
  }
}

describe('§5.12 settings from the server', () => {
  test.each([
    ['nothing', null],
    ['a list', []],
    ['text', 'all'],
    ['no preferences', { globalMute: true }],
    ['no globalMute', { preferences: {} }],
    ['preferences of a wrong type', { globalMute: true, preferences: [] }],
  ])('%s: the defaults', (_, stored) => {
    expect(parseNotificationSettings(stored)).toEqual(defaultSettings())
  })

  test('§3.13 missing and wrong-typed parts are merged with the defaults', () => {
    const got = parseNotificationSettings({
      globalMute: true,
      preferences: { messages: { muted: true, enabled: 'yes' }, system: { email_enabled: false } },
    })
    expect(got.globalMute).toBe(true)
    expect(got.emailGlobalMute).toBe(false)
    expect(got.preferences.messages).toEqual({
      type: 'messages',
      enabled: true,
      muted: true,
      displayInApp: true,
      email_enabled: false,
    })
    expect(got.preferences.system.email_enabled).toBe(false)
    expect(got.preferences.connections).toEqual(defaultSettings().preferences.connections)
  })

  test('§3.12 §3.13 §10.5 §10.7 only system notifications and reminders send e-mail by default', () => {
    const { preferences } = defaultSettings()
    expect(Object.values(preferences).map(({ type, email_enabled }) => [type, email_enabled])).toEqual([
      ['messages', false],
      ['connections', false],
      ['mentions', false],
      ['system', true],
      ['certifications', true],
      ['digest', false],
      ['trainings', true],
      ['growth', true],
    ])
  })
})

describe('what is counted in the bell', () => {
  test('a muted kind is listed but not counted', () => {
    const settings = changed('messages', { muted: true })
    expect(isShown(settings, 'messages')).toBe(true)
    expect(isAlerting(settings, 'messages')).toBe(false)
    expect(isAlerting(settings, 'mentions')).toBe(true)
  })

  test('the global mute applies to every kind', () => {
    expect(isAlerting(changed('messages', {}, { globalMute: true }), 'system')).toBe(false)
  })

  test('e-mail depends on its own switch and on no mute', () => {
    expect(wantsEmail(changed('mentions', { email_enabled: true }), 'mentions')).toBe(true)
    expect(wantsEmail(changed('mentions', { email_enabled: true, muted: true }), 'mentions')).toBe(false)
    expect(wantsEmail(changed('mentions', { email_enabled: true }, { emailGlobalMute: true }), 'mentions')).toBe(false)
    expect(wantsEmail(defaultSettings(), 'mentions')).toBe(false)
  })
})

test('§3.16 each type has its kind', () => {
  expect(
    ['message', 'connection', 'mention', 'comment', 'reaction', 'certification', 'admin_waitlist', 'others'].map(
      preferenceOf,
    ),
  ).toEqual(['messages', 'connections', 'mentions', 'mentions', 'mentions', 'certifications', 'system', 'system'])
})

test('§10.7 the digest is e-mail and nothing else', () => {
  expect(preferenceKeys.filter(isMailOnly)).toEqual(['digest'])
})

test('the filter of types', () => {
  expect(typeFilter(() => true)).toEqual({ all: true })
  expect(typeFilter((kind) => kind !== 'mentions')).toEqual({ except: ['mention', 'comment', 'reaction'] })
  expect(typeFilter((kind) => kind === 'messages')).toEqual({ only: ['message'] })
  expect(typeFilter((kind) => kind !== 'certifications')).toEqual({ except: ['certification'] })
  expect(typeFilter(() => false)).toEqual({ only: [] })
})
