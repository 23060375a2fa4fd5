/** Who may see the profile, and who may message the member (§3.3-6, §7.6). */
import { useQuery } from '@tanstack/react-query'
import {
  defaultPrivacy,
  parsePrivacySettings,
  type PrivacySettings,
  visibilities,
} from '@/api/profiles/privacy-settings'
import { profileQuery } from '@/api/profiles/queries'
import { useUpdateProfile } from '@/api/profiles/use-update-profile'
import { useMemberId } from '@/api/session/auth-context'
import { Field } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { Skeleton } from '@/components/ui/skeleton'
import type { Json } from '@/lib/supabase/database.types'
import { showToast } from '@/lib/toasts/toast'
import { copy } from '../copy'
import { Section } from './section'
import { SettingRow } from './setting-row'

const strings = copy.privacy

export function PrivacyForm() {
  const profile = useQuery(profileQuery(useMemberId()))
  const update = useUpdateProfile()
  if (profile.isPending) return <Skeleton shape="card" className="h-48" />
  if (!profile.data) return null // the form above shows the error
  const settings = parsePrivacySettings(profile.data?.privacy_settings) ?? defaultPrivacy()
  const change = (part: Partial<PrivacySettings>) => {
    const next = { ...settings, ...part, last_limit_reset: (settings.last_limit_reset ?? null) as Json }
    update.mutate(
      { privacy_settings: next },
      {
        onSuccess: () => showToast({ ...strings.saved, id: 'privacy' }),
        onError: () => showToast({ ...strings.failed, id: 'privacy' }),
      },
    )
  }
  const choice = (key: 'profile_visibility' | 'connection_visibility', label: string, hint?: string) => (
    <Field label={label} hint={hint}>
      {({ 'aria-invalid': _invalid, ...control }) => (
        <Select
          {...control}
          value={settings[key]}
          onChange={(event) => {
            const chosen = visibilities.find((one) => one === event.target.value)
            if (chosen) change({ [key]: chosen })
          }}
        >
          {visibilities.map((one) => (
            <option key={one} value={one}>
              {strings.options[one]}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
  return (
    <Section title={strings.title}>
      <div className="grid gap-4">
        {choice('profile_visibility', strings.profile, strings.profileHint)}
        {choice('connection_visibility', strings.connections)}
        <SettingRow
          label={strings.messages}
          hint={strings.messagesHint}
          checked={settings.allow_messages_from_anyone}
          onChange={(on) => change({ allow_messages_from_anyone: on })}
        />
      </div>
    </Section>
  )
}
