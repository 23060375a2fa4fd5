/** Rows that are on their way, in the list and in the bell. */
import { Bone, Loading } from '@/components/ui/skeleton'
import { copy } from '../copy'

export function NoticeSkeletons({ count }: { count: number }) {
  return (
    <Loading label={copy.loading} className="divide-y divide-line">
      {Array.from({ length: count }, (_, i) => (
        <div key={i} className="flex gap-3 px-5 py-4">
          <Bone className="size-10 rounded-[24%]" />
          <div className="grid grow content-center gap-2">
            <Bone className="h-4 w-2/5" />
            <Bone className="h-3.5 w-3/5" />
          </div>
        </div>
      ))}
    </Loading>
  )
}
