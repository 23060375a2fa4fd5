/** A generated cover for an article without one: the slug seeds the drawing, the category selects the motif. */
import type { ReactNode } from 'react'
import { contourRings } from './contours'
import { type Random, seededRandom } from './random'

interface Palette {
  ground: string
  line: string
  soft: string
  hot: string
}

const palettes: readonly [Palette, ...Palette[]] = [
  { ground: '#2a2521', line: '#665d54', soft: '#3d3630', hot: '#f08a3f' },
  { ground: '#26302f', line: '#5f7572', soft: '#34423f', hot: '#f3a05f' },
  { ground: '#232a35', line: '#5d6b80', soft: '#313b4a', hot: '#f08a3f' },
  { ground: '#2e2430', line: '#76637a', soft: '#3f3342', hot: '#f3a05f' },
  { ground: '#453c31', line: '#8f7f68', soft: '#564b3d', hot: '#ffa45c' },
  { ground: '#3a1f12', line: '#8a5233', soft: '#522d1b', hot: '#ffa45c' },
]

type Motif = (random: Random, palette: Palette, seed: string) => ReactNode

/** A hill with a fire perimeter and a control line. */
const hill: Motif = (random, p, seed) => {
  const fire = random.whole(1, 2)
  const rings = contourRings({
    seed,
    x: random.between(210, 430),
    y: random.between(150, 220),
    rings: 14,
    step: random.between(24, 31),
  })
  return rings
    .map((d, i) =>
      i === fire ? (
        <path key={i} d={d} fill={p.hot} />
      ) : (
        <path
          key={i}
          d={d}
          fill="none"
          stroke={i < fire ? p.ground : p.line}
          strokeWidth={i === fire + 2 ? 4 : i % 5 === 4 ? 3 : 1.5}
          strokeDasharray={i === fire + 2 ? '14 9' : undefined}
        />
      ),
    )
    .reverse()
}

/** A pre-incident plan; one room is involved. */
const plan: Motif = (random, p) => {
  const rooms: [number, number, number, number][] = []
  const divide = (x: number, y: number, w: number, h: number, depth: number) => {
    if (depth === 0 || (w < 140 && h < 115)) return void rooms.push([x, y, w, h])
    const share = random.between(0.36, 0.64)
    if (w > h * 1.2) {
      divide(x, y, w * share, h, depth - 1)
      divide(x + w * share, y, w * (1 - share), h, depth - 1)
    } else {
      divide(x, y, w, h * share, depth - 1)
      divide(x, y + h * share, w, h * (1 - share), depth - 1)
    }
  }
  divide(72, 52, 496, 256, 4)
  const involved = random.whole(0, rooms.length - 1)
  // Doors after all walls: a neighbor's wall would be drawn over a gap. Those of the outer walls open inward only.
  const walls = rooms.map(([x, y, w, h], i) => (
    <rect
      key={i}
      x={x}
      y={y}
      width={w}
      height={h}
      fill={i === involved ? p.hot : i % 3 === 0 ? p.soft : p.ground}
      stroke={p.line}
      strokeWidth="5"
    />
  ))
  const doors = rooms.map(([x, y, w, h], i) => {
    const inner = y + h < 300 ? `M${x + w * 0.4} ${y + h}h28` : x + w < 560 ? `M${x + w} ${y + h * 0.4}v26` : null
    return inner && <path key={i} d={inner} stroke={p.ground} strokeWidth="5" />
  })
  return [...walls, <path key="entrance" d="M300 308h40" stroke={p.ground} strokeWidth="5" />, ...doors]
}

/** Raised ladders, cropped by the frame. */
const ladders: Motif = (random, p) => {
  const ladder = (x: number, tilt: number, width: number, gap: number, color: string, stroke: number) => {
    const rungs = Array.from({ length: Math.ceil(580 / gap) }, (_, i) => `M0 ${i * gap + 20}H${width}`).join('')
    return (
      <path
        d={`M0 0V600M${width} 0V600${rungs}`}
        transform={`translate(${x} -100) rotate(${tilt})`}
        stroke={color}
        strokeWidth={stroke}
        fill="none"
      />
    )
  }
  const tilt = random.whole(14, 28)
  const x = random.whole(330, 470)
  return (
    <>
      <circle cx={random.whole(90, 220)} cy={random.whole(80, 150)} r={random.whole(40, 60)} fill={p.soft} />
      {ladder(x + 150, tilt, 42, 30, p.soft, 7)}
      {ladder(x - 30, tilt + 3, 62, 44, p.line, 8)}
      {ladder(x + 62, tilt - 3, 86, 58, p.hot, 11)}
    </>
  )
}

/** A hose bed, loaded flat; one line is highlighted. */
const hose: Motif = (random, p) => {
  const rows = random.whole(6, 8)
  const gap = 360 / rows
  const pulled = random.whole(2, rows - 3)
  return Array.from({ length: rows }, (_, i) => {
    const y = Math.round(gap * (i + 0.5))
    const width = Math.round(gap * 0.54)
    const [left, right] = [random.whole(60, 130), random.whole(500, 580)]
    if (i === pulled) {
      return (
        <g key={i} stroke={p.hot}>
          <path d={`M-20 ${y}H${right}`} strokeWidth={width} />
          <path
            d={`M${right + 2} ${y - width * 0.7}v${width * 1.4}m16 ${-width * 1.3}v${width * 1.2}`}
            strokeWidth="9"
          />
        </g>
      )
    }
    const d = i % 2 ? `M660 ${y}H${left}` : `M-20 ${y}H${right}`
    return <path key={i} d={d} stroke={i % 2 ? p.line : p.soft} strokeWidth={width} strokeLinecap="round" />
  })
}

/** A radio transmission with one burst. */
const radio: Motif = (random, p) => {
  const start = random.whole(12, 26)
  const length = random.whole(4, 6)
  const phase = random.between(0, 6)
  return (
    <>
      <path d="M0 180H640" stroke={p.soft} strokeWidth="2" />
      {Array.from({ length: 40 }, (_, i) => {
        const hot = i >= start && i < start + length
        const calm = 14 + Math.abs(Math.sin(i * 0.42 + phase) * Math.sin(i * 0.13 + phase)) * random.between(50, 130)
        const height = Math.round(hot ? random.between(150, 250) : calm)
        return (
          <path
            key={i}
            d={`M${i * 16 + 8} ${180 - height / 2}v${height}`}
            stroke={hot ? p.hot : p.line}
            strokeWidth="8"
            strokeLinecap="round"
          />
        )
      })}
    </>
  )
}

/** A first-due area with one highlighted hydrant. */
const streets: Motif = (random, p) => {
  const step = random.whole(74, 96)
  const spots: ReactNode[] = []
  const mains: ReactNode[] = []
  const sides: ReactNode[] = []
  for (let n = 0; n < 13; n++) {
    const at = (n - 6) * step
    const main = random.next() < 0.24
    for (let j = -4; j <= 4; j++) {
      if (random.next() < 0.22) spots.push(<circle key={`${n}/${j}`} cx={at} cy={j * step * 0.8} r="7" fill={p.line} />)
    }
    const d = `M${at} -500V500M-700 ${at * 0.8}H700`
    if (main) mains.push(<path key={n} d={d} stroke={p.line} strokeWidth="16" />)
    else sides.push(<path key={n} d={d} stroke={p.soft} strokeWidth="6" />)
  }
  const [x, y] = [random.whole(-2, 2) * step, random.whole(-1, 1) * step * 0.8]
  return (
    <g transform={`translate(320 180) rotate(${random.whole(-18, 18)})`}>
      {sides}
      {mains}
      {spots}
      <circle cx={x} cy={y} r="62" fill="none" stroke={p.hot} strokeWidth="3" strokeDasharray="10 7" />
      <circle cx={x} cy={y} r="18" fill={p.hot} />
    </g>
  )
}

const motifs: readonly [Motif, ...Motif[]] = [hill, plan, ladders, hose, radio, streets]
const byCategory: Record<string, Motif> = {
  Wildland: hill,
  Tactics: plan,
  Training: ladders,
  Equipment: hose,
  Leadership: radio,
  Career: streets,
}

export function Cover({
  slug,
  category,
  className,
}: {
  slug: string
  category?: string | null
  className?: string | undefined
}) {
  const random = seededRandom(slug)
  const palette = random.pick(palettes)
  const motif = byCategory[category ?? ''] ?? random.pick(motifs)
  return (
    <svg viewBox="0 0 640 360" preserveAspectRatio="xMidYMid slice" aria-hidden className={className}>
      <rect width="640" height="360" fill={palette.ground} />
      {motif(random, palette, slug)}
    </svg>
  )
}
