/** Instead of the member area, for an account that was suspended or deleted while the application was open. */
import { Button } from '@/components/ui/button'
import { FailureScreen } from '@/components/failure-screen'

const copy = {
  title: 'Your account is suspended',
  text: 'You can’t use Muster with this account at the moment, and nothing you write is saved. If you think this is a mistake, contact the people who run this site.',
  signOut: 'Sign out',
}

export function Suspended({ onSignOut }: { onSignOut: () => void }) {
  return (
    <FailureScreen title={copy.title} message={copy.text}>
      <Button variant="primary" onClick={onSignOut}>
        {copy.signOut}
      </Button>
    </FailureScreen>
  )
}
