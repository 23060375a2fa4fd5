/** For pages that are not there, or do not load. */
import { contourRings } from './contours'

const rings = contourRings({ seed: 'nowhere', x: 330, y: 230, rings: 14, step: 34, stretch: 1.3 })

/** A map with a trail that ends away from its marker. */
export function LostArt() {
  return (
    <svg
      viewBox="0 0 640 480"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden
      className="aspect-[16/10] w-full rounded-dialog md:aspect-[4/3]"
    >
      <rect width="640" height="480" fill="#2e2430" />
      {rings.map((d, i) => (
        <path key={i} d={d} fill="none" stroke="#76637a" strokeWidth={i % 5 === 4 ? 3 : 1.5} />
      ))}
      <path
        d="M40 452C130 430 150 350 236 338S330 300 352 252"
        fill="none"
        stroke="#f3a05f"
        strokeWidth="4"
        strokeDasharray="3 14"
        strokeLinecap="round"
      />
      <path d="m338 216 28 28m0-28-28 28" stroke="#f3a05f" strokeWidth="6" strokeLinecap="square" />
    </svg>
  )
}
