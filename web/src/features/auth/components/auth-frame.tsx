/** The frame of every door: one column to act in, and beside it, where there is room, the hill. */
import type { ReactNode } from 'react'
import { contourRings } from '@/components/art/contours'

const rings = contourRings({ seed: 'doors', x: 330, y: 420, rings: 15, step: 46, stretch: 1.15 })

function Hill() {
  return (
    <svg viewBox="0 0 720 900" preserveAspectRatio="xMidYMid slice" aria-hidden className="absolute inset-0 size-full">
      {rings.map((d, i) => (
        <path
          key={i}
          d={d}
          fill={i === 1 ? 'var(--bar-ember)' : 'none'}
          stroke={i === 0 ? 'var(--bar)' : i === 1 ? 'none' : 'var(--bar-line)'}
          strokeWidth={i % 5 === 4 ? 2.6 : 1.4}
          strokeDasharray={i === 4 ? '14 9' : undefined}
        />
      ))}
    </svg>
  )
}

export function AuthFrame({ title, lead, children }: { title: string; lead?: ReactNode; children: ReactNode }) {
  return (
    <div className="grid grow lg:grid-cols-[minmax(0,1fr)_minmax(0,0.85fr)]">
      <div className="grid content-start justify-items-center px-(--gutter) py-[clamp(2rem,8vh,6rem)]">
        <div className="w-full max-w-[25rem]">
          <h1 className="type-h1">{title}</h1>
          {lead && <div className="mt-2 text-muted">{lead}</div>}
          <div className="mt-8">{children}</div>
        </div>
      </div>
      <div aria-hidden className="relative overflow-hidden on-bar max-lg:hidden">
        <Hill />
      </div>
    </div>
  )
}
