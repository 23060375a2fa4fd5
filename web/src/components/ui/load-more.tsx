/** The end of a list with more behind it: loads by itself as one comes near, and on request. */
import { useEffect, useEffectEvent, useRef } from 'react'
import { BusyButton } from './button'

interface Props {
  busy: boolean
  onMore: () => void
  label: string
  busyLabel: string
  /** Wait for a press. */
  manual?: boolean
}

export function LoadMore({ busy, onMore, label, busyLabel, manual = false }: Props) {
  const spot = useRef<HTMLDivElement>(null)
  const more = useEffectEvent(onMore)
  useEffect(() => {
    if (manual || busy || !spot.current) return
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && more(), {
      rootMargin: '600px',
    })
    observer.observe(spot.current)
    return () => observer.disconnect()
  }, [manual, busy])
  return (
    <div ref={spot} data-slot="load-more" className="grid justify-items-center py-2">
      <BusyButton busy={busy} busyLabel={busyLabel} onClick={onMore}>
        {label}
      </BusyButton>
    </div>
  )
}
