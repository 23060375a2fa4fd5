/** /settings : name, privacy, what one signs in with, the account. */
import { AccountSection } from '@/features/settings/components/account-section'
import { BasicForm } from '@/features/settings/components/basic-form'
import { PrivacyForm } from '@/features/settings/components/privacy-form'
import { SettingsFrame } from '@/features/settings/components/settings-frame'
import { EmailForm, PasswordForm } from '@/features/settings/components/sign-in-forms'
import { copy } from '@/features/settings/copy'
import { usePageHead } from '@/lib/browser/page-head'

export function Component() {
  usePageHead({ title: copy.nav.basic })
  return (
    <SettingsFrame>
      <BasicForm />
      <PrivacyForm />
      <EmailForm />
      <PasswordForm />
      <AccountSection />
    </SettingsFrame>
  )
}
