/** /settings/security : second factors, recovery codes, sessions (§15.1). */
import { DocumentHead } from '@/components/document-head'
import { SecurityPage } from '@/features/security/components/security-page'
import { copy } from '@/features/security/copy'
import { SettingsFrame } from '@/features/settings/components/settings-frame'

export function Component() {
  return (
    <>
      <DocumentHead title={copy.title} />
      <SettingsFrame>
        <SecurityPage />
      </SettingsFrame>
    </>
  )
}
