/** /settings/mentions : being named in comments. */
import { MentionSettings } from '@/features/settings/components/mention-settings'
import { SettingsFrame } from '@/features/settings/components/settings-frame'
import { copy } from '@/features/settings/copy'
import { usePageHead } from '@/lib/browser/page-head'

export function Component() {
  usePageHead({ title: copy.mentions.title })
  return (
    <SettingsFrame>
      <MentionSettings />
    </SettingsFrame>
  )
}
