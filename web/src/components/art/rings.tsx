/** The rings of a hill as contour lines, one of them the perimeter of a fire. For an SVG on the charcoal ground. */
import type { ReactNode } from 'react'

export function Rings({ rings, perimeter }: { rings: readonly string[]; perimeter: number }): ReactNode {
  return rings.map((d, i) => (
    <path
      key={i}
      d={d}
      fill="none"
      stroke={i === perimeter ? 'var(--bar-ember)' : 'var(--bar-line)'}
      strokeWidth={i === perimeter ? 2 : i % 5 === 4 ? 2.5 : 1.3}
      strokeOpacity={i > perimeter + 1 ? 0.6 : 1}
      strokeDasharray={i === perimeter ? '14 9' : undefined}
    />
  ))
}
