/** The hero of the landing page. */
import { type ReactNode, useState } from 'react'
import { copy } from '../copy'
import { HeroArt, HeroHill } from './hero-art'
import { RotatingPhrase } from './rotating-phrase'

export function Hero({ action, note }: { action: ReactNode; note: string | null }) {
  const [paused, setPaused] = useState(false)
  const pauses = {
    onPointerEnter: () => setPaused(true),
    onPointerLeave: () => setPaused(false),
    onFocus: () => setPaused(true),
    onBlur: () => setPaused(false),
  }
  return (
    <section className="relative overflow-hidden on-bar">
      <HeroHill />
      <div className="relative page grid grid-cols-[minmax(0,1fr)] gap-14 pt-[clamp(2.5rem,5vw,4.5rem)] pb-[clamp(3rem,6vw,5.5rem)] lg:grid-cols-[minmax(0,1.12fr)_minmax(0,1fr)] lg:items-center">
        <div className="relative z-10" {...pauses}>
          <p className="mb-5 type-mark text-balance text-bar-ember">{copy.eyebrow}</p>
          <h1 className="type-display">
            <span className="sr-only">
              {copy.heroStart} {copy.phrases[0]}
            </span>
            <span aria-hidden>{copy.heroStart.replace(/ (\w+)$/, '\u00a0$1')} </span>
            <RotatingPhrase phrases={copy.phrases} paused={paused} />
          </h1>
          {/* On mobile the largest text from the first paint on: hydration must not render a larger one (LCP). */}
          <p className="mt-6 max-w-[44ch] text-lead leading-relaxed text-bar-muted">{copy.lead}</p>
          <div className="mt-8 flex flex-wrap items-center gap-x-5 gap-y-3 [&>:first-child]:grow sm:[&>:first-child]:grow-0">
            {action}
            {note && <p className="text-small text-bar-muted">{note}</p>}
          </div>
        </div>
        <HeroArt />
      </div>
    </section>
  )
}
