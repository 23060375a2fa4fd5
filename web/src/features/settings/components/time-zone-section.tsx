/** The member's time zone (§10.1): where days of reminders and the Monday of the digest are counted. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { profileQuery } from '@/api/profiles/queries'
import { browserTimeZone } from '@/api/profiles/use-time-zone'
import { useUpdateProfile } from '@/api/profiles/use-update-profile'
import { useMemberId } from '@/api/session/auth-context'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { showToast } from '@/lib/toasts/toast'
import { copy } from '../copy'
import { Section } from './section'

const strings = copy.notifications.timeZone

/** The zones that the browser knows, and those that are in use here. */
const zonesWith = (...used: (string | null | undefined)[]) =>
  [...new Set([...Intl.supportedValuesOf('timeZone'), ...used])].filter((zone) => typeof zone === 'string').sort()

export function TimeZoneSection() {
  const profile = useQuery(profileQuery(useMemberId()))
  const update = useUpdateProfile()
  const zone = profile.data?.time_zone
  const zones = useMemo(() => zonesWith(zone, browserTimeZone()), [zone])
  const choose = (time_zone: string) =>
    update.mutate(
      { time_zone },
      {
        onSuccess: () => showToast({ ...copy.saved, id: 'notification-settings' }),
        onError: () => showToast({ ...copy.saveFailed, id: 'notification-settings' }),
      },
    )
  return (
    <Section title={strings.title} lead={strings.hint}>
      <Field label={strings.label}>
        {({ 'aria-invalid': _invalid, ...control }) => (
          <Select {...control} value={zone ?? ''} onChange={(event) => choose(event.target.value)}>
            {!zone && <option value="">{strings.unknown}</option>}
            {zones.map((one) => (
              <option key={one} value={one}>
                {one.replaceAll('_', ' ')}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </Section>
  )
}
