/** /settings/mentions : mentions in comments. */
import { MentionSettings } from '@/features/settings/components/mention-settings'
import { SettingsFrame } from '@/features/settings/components/settings-frame'
import { copy } from '@/features/settings/copy'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title={copy.mentions.title} />
      <SettingsFrame>
        <MentionSettings />
      </SettingsFrame>
    </>
  )
}
