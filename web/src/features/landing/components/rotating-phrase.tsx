/** The phrase that changes every 3 s with a 300 ms fade (§2.1, §9.18). Two lines are reserved to avoid layout shift. */
import clsx from 'clsx'
import { useEffect, useState } from 'react'
import { limits } from '@/config/limits'
import { useReducedMotion } from '@/lib/browser/media'

export function RotatingPhrase({ phrases, paused }: { phrases: readonly string[]; paused: boolean }) {
  const [index, setIndex] = useState(0)
  const [fading, setFading] = useState(false)
  const still = useReducedMotion() || paused

  useEffect(() => {
    if (still) return
    let fade = 0
    const turn = window.setInterval(() => {
      if (document.hidden) return
      setFading(true)
      fade = window.setTimeout(() => {
        setIndex((current) => (current + 1) % phrases.length)
        setFading(false)
      }, limits.heroFadeMs)
    }, limits.heroPhraseMs)
    return () => {
      window.clearInterval(turn)
      window.clearTimeout(fade)
      setFading(false)
    }
  }, [still, phrases.length])

  return (
    <span
      aria-hidden
      data-slot="rotating-phrase"
      className={clsx(
        'block min-h-[2.04em] text-bar-ember transition-opacity duration-(--slow)',
        fading ? 'opacity-0' : 'opacity-100',
      )}
    >
      {phrases[index]}
    </span>
  )
}
