/** Invites visitors who read the blog to join the waitlist. */
import { useAuth } from '@/api/session/auth-context'
import { copy } from '@/features/blog/copy'
import { WaitlistButton } from '@/features/waitlist/components/waitlist-button'
import { copy as waitlistCopy } from '@/features/waitlist/copy'

export function WaitlistBand({ name }: { name: string }) {
  const { status } = useAuth()
  if (status !== 'signed-out') return null
  const { title, text } = copy.notSignedIn
  return (
    <section aria-labelledby="invite-title" className="page pb-[clamp(3rem,6vw,5rem)]">
      <div className="grid gap-6 rounded-dialog border border-bar-line p-[clamp(1.5rem,4vw,2.5rem)] on-bar md:grid-cols-[minmax(0,1fr)_auto] md:items-center">
        <div>
          <h2 id="invite-title" className="type-h2">
            {title}
          </h2>
          <p className="mt-2 max-w-[54ch] text-bar-muted">{text}</p>
        </div>
        <WaitlistButton name={name} variant="bar-primary" size="lg">
          {waitlistCopy.title}
        </WaitlistButton>
      </div>
    </section>
  )
}
