/** A hill on a topographic map as closed, smooth rings. Pure geometry, shared by covers and the hero. */
import { seededRandom } from './random'

type Point = readonly [number, number]

/** A closed Catmull-Rom spline through the points, as one path. */
function smooth(points: readonly Point[]): string {
  const at = (i: number): Point => points[(i + points.length) % points.length] ?? [0, 0]
  const r = Math.round
  let path = `M${r(at(0)[0])} ${r(at(0)[1])}`
  for (let i = 0; i < points.length; i++) {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)]
    const [ax, ay] = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6]
    const [bx, by] = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6]
    path += `C${r(ax)} ${r(ay)} ${r(bx)} ${r(by)} ${r(to[0])} ${r(to[1])}`
  }
  return `${path}Z`
}

export interface Hill {
  seed: string
  x: number
  y: number
  rings: number
  step: number
  /** Ratio of width to height. */
  stretch?: number
}

/** From the summit outward. */
export function contourRings({ seed, x, y, rings, step, stretch = 1.35 }: Hill): string[] {
  const random = seededRandom(seed)
  const waves = [2, 3, 5].map((k) => ({
    k,
    height: (random.between(0.1, 0.34) / k) * 1.1,
    phase: random.between(0, 6.28),
  }))
  return Array.from({ length: rings }, (_, i) => {
    const radius = (i + 1) * step
    const points = Array.from({ length: 22 }, (__, j): Point => {
      const angle = (j / 22) * Math.PI * 2
      const swell = waves.reduce((sum, w) => sum + w.height * Math.sin(w.k * angle + w.phase + i * 0.12), 1)
      return [x + Math.cos(angle) * radius * swell * stretch, y + Math.sin(angle) * radius * swell]
    })
    return smooth(points)
  })
}
