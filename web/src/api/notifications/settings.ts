/** A member's notification preferences (§3.11-13, §5.12), by the kinds the database lists. Pure. */
import { notificationKinds } from '@/lib/supabase/notification-kinds'

/** The entry of a member's settings that governs a kind of notification. */
export type PreferenceKey = NonNullable<(typeof notificationKinds)[number]['preference']>

export type NotificationPreference = {
  type: PreferenceKey
  enabled: boolean
  muted: boolean
  displayInApp: boolean
  email_enabled: boolean
}

export type NotificationSettings = {
  globalMute: boolean
  emailGlobalMute: boolean
  preferences: Record<PreferenceKey, NotificationPreference>
}

export const preferenceKeys: readonly PreferenceKey[] = [
  ...new Set(notificationKinds.flatMap(({ preference }) => preference ?? [])),
]

/** §3.13. */
const preferenceDefault = (key: PreferenceKey): NotificationPreference => ({
  type: key,
  enabled: true,
  muted: false,
  displayInApp: true,
  email_enabled: notificationKinds.some(({ preference, mailByDefault }) => preference === key && mailByDefault),
})

const byPreference = (make: (key: PreferenceKey) => NotificationPreference) =>
  // Object.fromEntries loses the key type; these are all of the keys.
  Object.fromEntries(preferenceKeys.map((key) => [key, make(key)])) as NotificationSettings['preferences']

export const defaultSettings = (): NotificationSettings => ({
  globalMute: false,
  emailGlobalMute: false,
  preferences: byPreference(preferenceDefault),
})

type Fields = Record<string, unknown>
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const flag = (fields: Fields, name: string, otherwise: boolean) => {
  const value = fields[name]
  return typeof value === 'boolean' ? value : otherwise
}

/** §5.12: an object with preferences and globalMute, or the defaults; missing parts are filled from the defaults. */
export function parseNotificationSettings(stored: unknown): NotificationSettings {
  if (!isObject(stored) || !isObject(stored.preferences) || !('globalMute' in stored)) return defaultSettings()
  const given = stored.preferences
  return {
    globalMute: flag(stored, 'globalMute', false),
    emailGlobalMute: flag(stored, 'emailGlobalMute', false),
    preferences: byPreference((key) => {
      const own = given[key]
      const normal = preferenceDefault(key)
      if (!isObject(own)) return normal
      return {
        type: key,
        enabled: flag(own, 'enabled', normal.enabled),
        muted: flag(own, 'muted', normal.muted),
        displayInApp: flag(own, 'displayInApp', normal.displayInApp),
        email_enabled: flag(own, 'email_enabled', normal.email_enabled),
      }
    }),
  }
}

/** Governed by this entry there are mails alone: no switch but that of the e-mail does anything. */
export const isMailOnly = (key: PreferenceKey) =>
  notificationKinds.every(({ preference, mailOnly }) => preference !== key || mailOnly)

/** The kinds that members trigger. */
const memberKinds = notificationKinds.filter(
  (kind): kind is Extract<typeof kind, { notifiedByMembers: true }> => kind.notifiedByMembers,
)
export type MemberKind = (typeof memberKinds)[number]['kind']

/** The kinds that are listed under their own entry; every other kind uses the system entry. */
const listedKinds = [
  ...memberKinds,
  ...notificationKinds.filter((kind): kind is Extract<typeof kind, { notifiedByJobs: true }> => kind.notifiedByJobs),
]

/** `type`: a column of free text; an unknown type counts as system. */
export const preferenceOf = (type: string): PreferenceKey =>
  listedKinds.find(({ kind }) => kind === type)?.preference ?? 'system'

/** Whether it is listed in the application at all. */
export const isShown = ({ preferences }: NotificationSettings, key: PreferenceKey) =>
  preferences[key].enabled && preferences[key].displayInApp

/** Whether it counts in the bell and raises a toast. */
export const isAlerting = (settings: NotificationSettings, key: PreferenceKey) =>
  !settings.globalMute && isShown(settings, key) && !settings.preferences[key].muted

export const wantsEmail = (settings: NotificationSettings, key: PreferenceKey) => {
  const { enabled, muted, email_enabled } = settings.preferences[key]
  return !settings.globalMute && !settings.emailGlobalMute && enabled && !muted && email_enabled
}

/** The types to include, as a filter on the notifications table: all, all but some, or only some. */
export type TypeFilter = { all: true } | { except: string[] } | { only: string[] }

export function typeFilter(passes: (key: PreferenceKey) => boolean): TypeFilter {
  const typesWhere = (wanted: boolean) =>
    listedKinds.filter(({ preference }) => passes(preference) === wanted).map(({ kind }) => kind)
  if (!passes('system')) return { only: typesWhere(true) }
  const except = typesWhere(false)
  return except.length > 0 ? { except } : { all: true }
}
