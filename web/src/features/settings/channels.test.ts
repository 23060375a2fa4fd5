import { describe, expect, test } from 'vitest'
import { defaultSettings, type NotificationSettings } from '@/api/notifications/settings'
import { cellOf, changeOf } from './channels'

const withMessages = (part: Partial<NotificationSettings['preferences']['messages']>): NotificationSettings => {
  const settings = defaultSettings()
  return {
    ...settings,
    preferences: { ...settings.preferences, messages: { ...settings.preferences.messages, ...part } },
  }
}
const ticks = (settings: NotificationSettings) =>
  (['app', 'alert', 'email'] as const).map((channel) => cellOf(settings, 'messages', channel).checked)

describe('§3.11 the table of notifications', () => {
  test.each([
    [{}, [true, true, false]],
    [{ email_enabled: true }, [true, true, true]],
    [{ muted: true, email_enabled: true }, [true, false, false]],
    [{ displayInApp: false, email_enabled: true }, [false, false, true]],
    [{ enabled: false, email_enabled: true }, [false, false, false]],
  ])('%j shows %j', (part, want) => {
    expect(ticks(withMessages(part))).toEqual(want)
  })

  test('muting everything leaves the list', () => {
    const settings = { ...defaultSettings(), globalMute: true }
    expect(cellOf(settings, 'messages', 'app').disabled).toBe(false)
    expect(cellOf(settings, 'messages', 'alert').disabled).toBe(true)
    expect(cellOf(settings, 'messages', 'email').disabled).toBe(true)
  })

  test.each(['app', 'email'] as const)('the first tick of one that is off turns on %s alone', (channel) => {
    const off = withMessages({ enabled: false, email_enabled: true })
    const own = off.preferences.messages
    const shown = ticks(withMessages({ ...own, ...changeOf(own, channel, true) }))
    expect(shown).toEqual(channel === 'app' ? [true, true, false] : [false, false, true])
  })

  test.each(['app', 'alert', 'email'] as const)('clearing %s clears it, ticking it ticks it', (channel) => {
    const index = ['app', 'alert', 'email'].indexOf(channel)
    const before = withMessages({ email_enabled: true }).preferences.messages
    const cleared = { ...before, ...changeOf(before, channel, false) }
    expect(ticks(withMessages(cleared))[index]).toBe(false)
    expect(ticks(withMessages({ ...cleared, ...changeOf(cleared, channel, true) }))[index]).toBe(true)
  })
})
