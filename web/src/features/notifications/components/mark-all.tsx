/** Everything loaded was read: beside the title of the list. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { CheckCheck } from 'lucide-react'
import { useMemberId } from '@/api/session/auth-context'
import { Button } from '@/components/ui/button'
import { rowsOf } from '@/lib/live-lists/keyset'
import { noticesQuery } from '../api/queries'
import { copy } from '../copy'
import { useNotices } from '../use-notices'

export function MarkAll() {
  const notices = rowsOf(useInfiniteQuery(noticesQuery(useMemberId())).data)
  const { markAll, marking } = useNotices()
  if (notices.length === 0) return null
  const idle = marking || notices.every((notice) => notice.seen)
  return (
    <Button
      aria-label={copy.list.markAll}
      aria-disabled={idle}
      className="max-sm:px-3"
      onClick={() => {
        if (!idle) markAll()
      }}
    >
      <CheckCheck aria-hidden />
      <span className="max-sm:hidden">{marking ? copy.list.markingAll : copy.list.markAll}</span>
    </Button>
  )
}
