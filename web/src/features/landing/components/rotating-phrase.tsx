/** The phrase that changes every 3 s with a 300 ms fade (§2.1, §9.18). The room of the longest is reserved. */
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
    <span aria-hidden className="grid *:[grid-area:1/1]">
      <span
        data-slot="rotating-phrase"
        className={clsx(
          'block text-bar-ember transition-opacity duration-(--slow)',
          fading ? 'opacity-0' : 'opacity-100',
        )}
      >
        {phrases[index]}
      </span>
      {phrases.map((phrase) => (
        <span key={phrase} data-room={phrase} className="invisible before:content-[attr(data-room)]" />
      ))}
    </span>
  )
}
