/** A long text, collapsed to its first lines with a button for the rest; not for an excess of a line or two. */
import clsx from 'clsx'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'

interface Props {
  /** How many lines are shown while collapsed. */
  lines: number
  children: ReactNode
  className?: string
}

/** Up to this many extra lines are shown without a button. */
const spare = 3

export function Folded({ lines, children, className }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [long, setLong] = useState(false)
  const [open, setOpen] = useState(false)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => {
      const line = Number.parseFloat(getComputedStyle(element).lineHeight) || 24
      setLong(element.scrollHeight > (lines + spare) * line)
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [lines, children])
  const turn = () => {
    setOpen(!open)
    if (open) window.requestAnimationFrame(() => box.current?.scrollIntoView({ block: 'nearest' }))
  }
  return (
    <div className={clsx('grid grid-cols-1 justify-items-start', className)}>
      <div
        ref={box}
        className="w-full scroll-mt-20 overflow-hidden"
        style={long && !open ? { maxHeight: `${lines}lh` } : undefined}
        onScroll={() => setOpen(true)} // keyboard focus or find-in-page reached the hidden part
      >
        {children}
      </div>
      {long && (
        <button type="button" aria-expanded={open} onClick={turn} className="min-h-9 text-small link md:min-h-8">
          {open ? 'Show less' : 'Show more'}
        </button>
      )}
    </div>
  )
}
