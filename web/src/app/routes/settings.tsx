/** /settings : name, privacy, sign-in methods, the account. */
import { AccountSection } from '@/features/settings/components/account-section'
import { AppearanceSection } from '@/features/settings/components/appearance-section'
import { BasicForm } from '@/features/settings/components/basic-form'
import { EmailForm } from '@/features/settings/components/email-form'
import { PasswordForm } from '@/features/settings/components/password-form'
import { PrivacyForm } from '@/features/settings/components/privacy-form'
import { SettingsFrame } from '@/features/settings/components/settings-frame'
import { copy } from '@/features/settings/copy'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title={copy.nav.basic} />
      <SettingsFrame>
        <BasicForm />
        <PrivacyForm />
        <EmailForm />
        <PasswordForm />
        <AppearanceSection />
        <AccountSection />
      </SettingsFrame>
    </>
  )
}
