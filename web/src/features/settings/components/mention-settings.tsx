/** The settings of mentions, with full descriptions. */
import { copy } from '../copy'
import { useNotificationSettings } from '../use-notification-settings'
import { Section } from './section'
import { SettingRow } from './setting-row'
import { SettingsSkeleton, SettingsUnreadable } from './settings-frame'

const strings = copy.mentions

export function MentionSettings() {
  const { isPending, unreadable, retry, settings, changePreference } = useNotificationSettings()
  if (isPending) return <SettingsSkeleton />
  if (unreadable) return <SettingsUnreadable onRetry={retry} />
  const own = settings.preferences.mentions
  const rows = [
    { key: 'enabled', label: strings.enabled, hint: strings.enabledHint, disabled: false },
    { key: 'displayInApp', label: strings.inApp, hint: strings.inAppHint, disabled: !own.enabled },
    { key: 'muted', label: strings.muted, hint: strings.mutedHint, disabled: !own.enabled },
    { key: 'email_enabled', label: strings.email, hint: strings.emailHint, disabled: !own.enabled },
  ] as const
  return (
    <Section title={strings.title} lead={strings.lead}>
      <div className="divide-y divide-line">
        {rows.map(({ key, label, hint, disabled }) => (
          <SettingRow
            key={key}
            label={label}
            hint={hint}
            disabled={disabled}
            checked={own[key]}
            onChange={(on) => changePreference('mentions', { [key]: on })}
          />
        ))}
      </div>
    </Section>
  )
}
