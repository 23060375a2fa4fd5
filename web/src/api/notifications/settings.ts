/** What a member wants to be told (§3.11-13, §5.12). Pure. */

export const notificationKinds = ['messages', 'connections', 'mentions', 'system'] as const
export type NotificationKind = (typeof notificationKinds)[number]

export type NotificationPreference = {
  type: NotificationKind
  enabled: boolean
  muted: boolean
  displayInApp: boolean
  email_enabled: boolean
}

export type NotificationSettings = {
  globalMute: boolean
  emailGlobalMute: boolean
  preferences: Record<NotificationKind, NotificationPreference>
}

/** §3.13. */
const preferenceDefault = (kind: NotificationKind): NotificationPreference => ({
  type: kind,
  enabled: true,
  muted: false,
  displayInApp: true,
  email_enabled: kind === 'system',
})

const byKind = (
  make: (kind: NotificationKind) => NotificationPreference,
): Record<NotificationKind, NotificationPreference> => ({
  messages: make('messages'),
  connections: make('connections'),
  mentions: make('mentions'),
  system: make('system'),
})

export const defaultSettings = (): NotificationSettings => ({
  globalMute: false,
  emailGlobalMute: false,
  preferences: byKind(preferenceDefault),
})

type Fields = Record<string, unknown>
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const flag = (fields: Fields, name: string, otherwise: boolean) => {
  const value = fields[name]
  return typeof value === 'boolean' ? value : otherwise
}

/** §5.12: an object with preferences and globalMute, or the defaults; what is missing is filled from them. */
export function parseNotificationSettings(stored: unknown): NotificationSettings {
  if (!isObject(stored) || !isObject(stored.preferences) || !('globalMute' in stored)) return defaultSettings()
  const given = stored.preferences
  return {
    globalMute: flag(stored, 'globalMute', false),
    emailGlobalMute: flag(stored, 'emailGlobalMute', false),
    preferences: byKind((kind) => {
      const own = given[kind]
      const normal = preferenceDefault(kind)
      if (!isObject(own)) return normal
      return {
        type: kind,
        enabled: flag(own, 'enabled', normal.enabled),
        muted: flag(own, 'muted', normal.muted),
        displayInApp: flag(own, 'displayInApp', normal.displayInApp),
        email_enabled: flag(own, 'email_enabled', normal.email_enabled),
      }
    }),
  }
}

/** The types that members cause, by the preference that rules them; every other type is the system's. */
const typesOf: Record<Exclude<NotificationKind, 'system'>, readonly string[]> = {
  messages: ['message'],
  connections: ['connection'],
  mentions: ['mention', 'comment', 'reaction'],
}
const memberTypes = Object.values(typesOf).flat()

export function kindOfType(type: string): NotificationKind {
  for (const kind of ['messages', 'connections', 'mentions'] as const) if (typesOf[kind].includes(type)) return kind
  return 'system'
}

/** Is it to be seen in the application at all? */
export const isShown = ({ preferences }: NotificationSettings, kind: NotificationKind) =>
  preferences[kind].enabled && preferences[kind].displayInApp

/** May it ring: count in the bell, raise a toast? */
export const isLoud = (settings: NotificationSettings, kind: NotificationKind) =>
  !settings.globalMute && isShown(settings, kind) && !settings.preferences[kind].muted

export const wantsEmail = (settings: NotificationSettings, kind: NotificationKind) => {
  const { enabled, muted, email_enabled } = settings.preferences[kind]
  return !settings.globalMute && !settings.emailGlobalMute && enabled && !muted && email_enabled
}

/** Which types pass, as a filter of the notifications table: all, all but some, or only some. */
export type TypeFilter = { all: true } | { except: string[] } | { only: string[] }

export function typeFilter(passes: (kind: NotificationKind) => boolean): TypeFilter {
  const refused = (['messages', 'connections', 'mentions'] as const)
    .filter((kind) => !passes(kind))
    .flatMap((kind) => typesOf[kind])
  if (!passes('system')) return { only: memberTypes.filter((type) => !refused.includes(type)) }
  return refused.length > 0 ? { except: refused } : { all: true }
}
