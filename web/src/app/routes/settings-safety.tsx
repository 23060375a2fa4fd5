/** /settings/safety : whom the member blocks and mutes. */
import { DocumentHead } from '@/components/document-head'
import { HiddenMembers } from '@/features/safety/components/hidden-members'
import { copy } from '@/features/safety/copy'
import { SettingsFrame } from '@/features/settings/components/settings-frame'

export function Component() {
  return (
    <>
      <DocumentHead title={copy.settings.title} />
      <SettingsFrame>
        <HiddenMembers which="blocks" />
        <HiddenMembers which="mutes" />
      </SettingsFrame>
    </>
  )
}
