/** /dashboard : the member's own activity and numbers. */
import { Activity } from '@/features/dashboard/components/activity'
import { Alone } from '@/features/dashboard/components/alone'
import { Completeness } from '@/features/dashboard/components/completeness'
import { Expiring } from '@/features/dashboard/components/expiring'
import { Figures } from '@/features/dashboard/components/figures'
import { Hello } from '@/features/dashboard/components/hello'
import { copy } from '@/features/dashboard/copy'
import { Training } from '@/features/feed/components/training'
import { Suggestions } from '@/features/network/components/suggestions'
import { useUnseenCount } from '@/features/notifications/use-unseen'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  const unseen = useUnseenCount()
  return (
    <>
      <DocumentHead title={copy.title} />
      <Hello />
      <Figures unseen={unseen} />
      <div className="mt-6 grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18.5rem]">
        <div className="grid min-w-0 grid-cols-1 gap-4">
          <Activity />
          <Expiring />
          <Completeness />
        </div>
        <aside aria-label="Next" className="grid min-w-0 grid-cols-1 gap-4">
          <Alone />
          <Training />
          <Suggestions />
        </aside>
      </div>
    </>
  )
}
