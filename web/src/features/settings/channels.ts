/** The columns of the table of notifications, and what a tick in one of them changes (§3.11-13). Pure. */
import type { NotificationPreference, NotificationSettings, PreferenceKey } from '@/api/notifications/settings'

export const channels = ['app', 'alert', 'email'] as const
export type Channel = (typeof channels)[number]

interface Cell {
  checked: boolean
  disabled: boolean
}

/** A preference that is off has no ticks; a silent one has no alerts and no e-mail. */
export function cellOf(settings: NotificationSettings, key: PreferenceKey, channel: Channel): Cell {
  const { globalMute, emailGlobalMute, preferences } = settings
  const { enabled, muted, displayInApp, email_enabled } = preferences[key]
  if (channel === 'app') return { checked: enabled && displayInApp, disabled: false }
  if (channel === 'alert') {
    return { checked: enabled && displayInApp && !muted, disabled: globalMute || !(enabled && displayInApp) }
  }
  return { checked: enabled && !muted && email_enabled, disabled: globalMute || emailGlobalMute || (enabled && muted) }
}

/** What ticking or clearing a cell saves. A first tick turns the preference on, with that channel alone. */
export function changeOf(
  { enabled, displayInApp, email_enabled }: NotificationPreference,
  channel: Channel,
  on: boolean,
): Partial<NotificationPreference> {
  if (channel === 'alert') return { muted: !on }
  if (channel === 'app') {
    return on ? { enabled: true, displayInApp: true, email_enabled: enabled && email_enabled } : { displayInApp: false }
  }
  return on
    ? { enabled: true, email_enabled: true, muted: false, displayInApp: enabled && displayInApp }
    : { email_enabled: false }
}
