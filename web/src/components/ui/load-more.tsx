/** The end of a list that has more: loads the next page when scrolled near, or on click. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { BusyButton } from './button'

/** The part of a list query it uses; TanStack's infinite queries match. */
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
  /** Load only on click. */
  manual?: boolean
}

export function LoadMore({ of: list, label, busyLabel, manual = false }: Props) {
  const spot = useRef<HTMLDivElement>(null)
  // A running fetch may be filling a gap in the list: it is not canceled to load more; the end is checked again afterwards.
  const more = useEffectEvent(() => void list.fetchNextPage({ cancelRefetch: false }))
  const { data, isFetching } = list // a fast response may arrive before isFetching was rendered
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
