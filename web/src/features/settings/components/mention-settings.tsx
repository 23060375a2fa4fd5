/** The settings of mentions, with full descriptions. */
import { copy } from '../copy'
import { useNotificationSettings } from '../use-notification-settings'
import { Section } from './section'
import { SettingRow } from './setting-row'
import { SettingsSkeleton, SettingsUnreadable } from './settings-frame'

const words = copy.mentions

export function MentionSettings() {
  const { isPending, unreadable, retry, settings, changePreference } = useNotificationSettings()
  if (isPending) return <SettingsSkeleton />
  if (unreadable) return <SettingsUnreadable onRetry={retry} />
  const own = settings.preferences.mentions
  const rows = [
    { key: 'enabled', label: words.enabled, hint: words.enabledHint, disabled: false },
    { key: 'displayInApp', label: words.inApp, hint: words.inAppHint, disabled: !own.enabled },
    { key: 'muted', label: words.muted, hint: words.mutedHint, disabled: !own.enabled },
    { key: 'email_enabled', label: words.email, hint: words.emailHint, disabled: !own.enabled },
  ] as const
  return (
    <Section title={words.title} lead={words.lead}>
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
