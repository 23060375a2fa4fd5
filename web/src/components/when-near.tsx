/** Renders its children when they scroll near, or when the page has been idle for a while. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { whenIdle } from '@/lib/browser/when-idle'

interface Props {
  children: ReactNode
  /** Reserves the same space meanwhile. */
  placeholder: ReactNode
  quietMs?: number
}

export function WhenNear({ children, placeholder, quietMs = 2_500 }: Props) {
  const [near, setNear] = useState(false)
  const spot = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (near || !spot.current) return
    const show = () => setNear(true)
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && show(), {
      rootMargin: '300px',
    })
    observer.observe(spot.current)
    let cancelIdle = () => {}
    const timer = window.setTimeout(() => {
      cancelIdle = whenIdle(show)
    }, quietMs)
    return () => {
      observer.disconnect()
      window.clearTimeout(timer)
      cancelIdle()
    }
  }, [near, quietMs])
  return near ? children : <div ref={spot}>{placeholder}</div>
}
