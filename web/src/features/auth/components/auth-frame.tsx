/** The layout of the authentication pages: the form, and on wide screens an illustration beside it. */
import { type ReactNode, type Ref, useEffect } from 'react'
import { contourRings } from '@/components/art/contours'
import { Rings } from '@/components/art/rings'
import { NameTag } from '@/components/art/name-tag'
import { loadSupabase } from '@/lib/supabase/load-client'
import { importHandled } from '@/lib/browser/handled-import'

const rings = contourRings({ seed: 'doors', x: 340, y: 350, rings: 17, step: 46, stretch: 1.15 })
/** The dashed line goes around the crew, and above the text at the bottom. */
const perimeter = 5

/** Position of each tag on the panel, in percent of its width and height; the blank one in the middle. */
const crew = [
  ['CAPT', 'Bell', 12, 17],
  ['LT', 'Herrera', 60, 11],
  ['SQD', 'Yazzie', 69, 37],
  ['FF/PM', 'Okafor', 9, 49],
  ['ENG', 'Solberg', 58, 61],
] as const
const seat = { x: 38, y: 34 }

/** Decorative: the tags of a crew around one free position, over contour lines. */
function Crew() {
  return (
    <>
      <svg viewBox="0 0 720 900" preserveAspectRatio="xMidYMid slice" className="absolute inset-0 size-full">
        <Rings rings={rings} perimeter={perimeter} />
      </svg>
      <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full">
        {crew.map(([, name, x, y]) => (
          <path
            key={name}
            d={`M${seat.x + 8} ${seat.y + 3}L${x + 8} ${y + 3}`}
            stroke="var(--bar-muted)"
            strokeWidth="1.5"
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </svg>
      {[...crew, ['', 'You', seat.x, seat.y] as const].map(([rank, name, x, y]) => (
        <div key={name} className="absolute w-30" style={{ left: `${x}%`, top: `${y}%` }}>
          <NameTag rank={rank} name={name} className={rank === '' ? 'bg-bar' : 'shadow-dialog'} />
        </div>
      ))}
      <p className="absolute inset-x-0 bottom-0 max-w-[18ch] p-(--gutter) pb-[clamp(2rem,6vh,4rem)] text-[clamp(1.5rem,1.1rem+1.4vw,2.25rem)] leading-[1.08] font-[720] tracking-[-0.015em] text-balance font-stretch-expanded">
        Everyone you came up with.
      </p>
    </>
  )
}

interface Props {
  title: string
  lead?: ReactNode
  /** For who moves the focus to the title. */
  heading?: Ref<HTMLHeadingElement>
  children: ReactNode
}

export function AuthFrame({ title, lead, heading, children }: Props) {
  // Loads the client while the form is filled in, so that a connection lost later does not prevent it.
  useEffect(() => void importHandled(loadSupabase).catch(() => undefined), [])
  return (
    <div className="grid grow grid-cols-[minmax(0,1fr)] lg:grid-cols-[minmax(0,1fr)_minmax(0,0.85fr)]">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start justify-items-center px-(--gutter) py-[clamp(2rem,8vh,6rem)] lg:justify-items-start lg:pl-[max(var(--gutter),calc((100vw-var(--page))/2))]">
        <div className="w-full max-w-[25rem]">
          <h1 ref={heading} tabIndex={-1} className="type-h1 outline-none">
            {title}
          </h1>
          {lead && <div className="mt-2 [overflow-wrap:anywhere] text-muted">{lead}</div>}
          <div className="mt-8">{children}</div>
        </div>
      </div>
      <div aria-hidden className="relative overflow-hidden on-bar max-lg:hidden">
        <Crew />
      </div>
    </div>
  )
}
