/** Which notifications are shown, which raise an alert, and which are e-mailed (§3.11-13): one table, saved as you go. */
import { isMailOnly, preferenceKeys } from '@/api/notifications/settings'
import { Card } from '@/components/ui/card'
import { cellOf, changeOf, type Channel, channels } from '../channels'
import { copy } from '../copy'
import { useNotificationSettings } from '../use-notification-settings'
import { PushSection } from './push-section'
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
  const cell = (key: (typeof preferenceKeys)[number], channel: Channel) => {
    if (isMailOnly(key) && channel !== 'email') return <td key={channel} />
    const { checked, disabled } = cellOf(settings, key, channel)
    return (
      <td key={channel} className="relative p-0 text-center">
        <label className="grid min-h-18 cursor-pointer place-items-center has-disabled:cursor-not-allowed">
          <span className="sr-only">
            {strings.kinds[key].title}: {strings.channels[channel]}
          </span>
          <input
            type="checkbox"
            className="size-6 accent-(--ember) disabled:opacity-50"
            checked={checked}
            disabled={disabled}
            onChange={(event) => changePreference(key, changeOf(preferences[key], channel, event.target.checked))}
          />
        </label>
      </td>
    )
  }
  return (
    <>
      <header>
        <h2 className="type-h2">{strings.title}</h2>
        <p className="mt-1 text-muted">{strings.lead}</p>
      </header>
      <Card className="overflow-hidden">
        <table className="w-full table-fixed border-collapse text-left">
          <caption className="sr-only">{strings.title}</caption>
          <thead className="bg-sunken text-label font-semibold text-muted">
            {/* Letters so large that three columns leave no room for words: the words stand above their boxes. */}
            <tr className="max-[18rem]:grid max-[18rem]:grid-cols-3">
              <th scope="col" className="px-4 py-3 font-semibold max-[18rem]:col-span-3 md:px-5">
                {strings.about}
              </th>
              {channels.map((channel) => (
                <th
                  key={channel}
                  scope="col"
                  className="w-14 px-1 py-3 text-center font-semibold max-[18rem]:w-auto sm:w-20"
                >
                  {strings.channels[channel]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {preferenceKeys.map((key) => (
              <tr key={key} className="max-[18rem]:grid max-[18rem]:grid-cols-3">
                <th scope="row" className="px-4 py-3 font-normal max-[18rem]:col-span-3 md:px-5">
                  <b className="block text-ui font-semibold">{strings.kinds[key].title}</b>
                  <span className="block text-small text-muted">{strings.kinds[key].hint}</span>
                </th>
                {channels.map((channel) => cell(key, channel))}
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <Section title={strings.pause}>
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
      <PushSection settings={settings} />
      <TimeZoneSection />
    </>
  )
}
