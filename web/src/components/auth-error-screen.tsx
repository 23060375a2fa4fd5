/** §8.2: the sign-in service could not start. */
import { FailureScreen } from '@/components/failure-screen'
import { Button } from '@/components/ui/button'

export function AuthErrorScreen({ message }: { message: string }) {
  return (
    <FailureScreen title="Authentication Error" message={message}>
      <Button variant="primary" onClick={() => window.location.reload()}>
        Reload
      </Button>
    </FailureScreen>
  )
}
