/** The end of a list that has more: loads the next page when it scrolls near, and on request. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { BusyButton } from './button'

/** What a list's query tells and does; TanStack's infinite queries are such. */
interface Growing {
  data: unknown
  isFetching: boolean
  isFetchingNextPage: boolean
  fetchNextPage: (options?: { cancelRefetch?: boolean }) => Promise<unknown>
}

interface Props {
  of: Growing
  label: string
  busyLabel: string
  /** Wait for a press. */
  manual?: boolean
}

export function LoadMore({ of: list, label, busyLabel, manual = false }: Props) {
  const spot = useRef<HTMLDivElement>(null)
  // What is under way may close a gap in the list: it is not given up for more of it, the end is looked at again after.
  const more = useEffectEvent(() => void list.fetchNextPage({ cancelRefetch: false }))
  const { data, isFetching } = list // a quick answer is there before anybody drew that it was asked for
  useEffect(() => {
    if (manual || isFetching || !spot.current) return
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && more(), {
      rootMargin: '600px',
    })
    observer.observe(spot.current)
    return () => observer.disconnect()
  }, [manual, isFetching, data])
  return (
    <div ref={spot} data-slot="load-more" className="grid justify-items-center py-2">
      <BusyButton busy={list.isFetchingNextPage} busyLabel={busyLabel} onClick={() => void list.fetchNextPage()}>
        {label}
      </BusyButton>
    </div>
  )
}
