/** Placeholders for notifications, in the list and in the bell. */
import { Loading, PersonSkeleton } from '@/components/ui/skeleton'
import { copy } from '../copy'

export function NotificationSkeletons({ count }: { count: number }) {
  return (
    <Loading label={copy.loading} className="divide-y divide-line">
      {Array.from({ length: count }, (_, i) => (
        <PersonSkeleton key={i} className="px-5 py-4" lines={['w-2/5', 'w-3/5']} />
      ))}
    </Loading>
  )
}
