/** Which notifications are shown, where, and which are e-mailed (§3.11-13). Every switch applies at once. */
import { isMailOnly, preferenceKeys } from '@/api/notifications/settings'
import { copy } from '../copy'
import { useNotificationSettings } from '../use-notification-settings'
import { Section } from './section'
import { SettingRow } from './setting-row'
import { TimeZoneSection } from './time-zone-section'
import { SettingsSkeleton, SettingsUnreadable } from './settings-frame'

const strings = copy.notifications

export function NotificationSettingsForm() {
  const { isPending, unreadable, retry, settings, change, changePreference } = useNotificationSettings()
  if (isPending) return <SettingsSkeleton />
  if (unreadable) return <SettingsUnreadable onRetry={retry} />
  const { globalMute, emailGlobalMute, preferences } = settings
  return (
    <>
      <Section title={strings.title} lead={strings.lead}>
        <div className="divide-y divide-line">
          <SettingRow
            label={strings.globalMute}
            hint={strings.globalMuteHint}
            checked={globalMute}
            onChange={(on) => change({ globalMute: on })}
          />
          <SettingRow
            label={strings.emailGlobalMute}
            hint={strings.emailGlobalMuteHint}
            checked={emailGlobalMute}
            onChange={(on) => change({ emailGlobalMute: on })}
          />
        </div>
      </Section>
      {preferenceKeys.map((key) => {
        const { title, hint } = strings.kinds[key]
        const own = preferences[key]
        return (
          <Section key={key} title={title} lead={hint}>
            <div className="grid grid-cols-1 gap-x-8 divide-line sm:grid-cols-2">
              {!isMailOnly(key) && (
                <>
                  <SettingRow
                    context={title}
                    label={strings.switches.enabled}
                    checked={own.enabled}
                    onChange={(on) => changePreference(key, { enabled: on })}
                  />
                  <SettingRow
                    context={title}
                    label={strings.switches.muted}
                    checked={own.muted}
                    disabled={!own.enabled || globalMute}
                    onChange={(on) => changePreference(key, { muted: on })}
                  />
                  <SettingRow
                    context={title}
                    label={strings.switches.displayInApp}
                    checked={own.displayInApp}
                    disabled={!own.enabled}
                    onChange={(on) => changePreference(key, { displayInApp: on })}
                  />
                </>
              )}
              <SettingRow
                context={title}
                label={strings.switches.email_enabled}
                checked={own.email_enabled}
                disabled={!own.enabled || globalMute || emailGlobalMute}
                onChange={(on) => changePreference(key, { email_enabled: on })}
              />
            </div>
          </Section>
        )
      })}
      <TimeZoneSection />
    </>
  )
}
