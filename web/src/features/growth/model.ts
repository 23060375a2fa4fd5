/** What is said of a requirement, and of the next step. Pure. */
import type { Requirement } from '@/api/growth/model'
import { paths } from '@/config/paths'
import { formatDate } from '@/lib/format/dates'
import { copy } from './copy'

const dayOf = (day: string | null) => (day ? formatDate(`${day}T12:00:00`) : '')
const strings = copy.states

/** Why it is met or not. Others read less: a training's name is its member's. */
export function wordsOf({ state, metBy, proof, proofOn, isLinked }: Requirement): string {
  const name = proof ?? strings.something
  switch (state) {
    case 'met':
      if (!isLinked) return strings.ticked
      if (!proof) return strings.hidden
      return metBy === 'certification' && proofOn ? strings.until(proof, dayOf(proofOn)) : strings.by(proof)
    case 'planned':
      return proof ? strings.planned(proof, dayOf(proofOn)) : strings.plannedUnnamed(dayOf(proofOn))
    case 'expired':
      return strings.expired(name, dayOf(proofOn))
    case 'canceled':
      return strings.canceled(name)
    case 'gone':
      return strings.gone(name)
    case 'open':
      return strings.expects[metBy]
  }
}

export interface Step {
  title: string
  /** Where to do it; null: the requirement is marked done in place. */
  action: { label: string; to: string } | null
}

/** The next step in words, with where it is done. */
export function stepOf({ title, state, metBy, proof }: Requirement): Step {
  const search = `${paths.search}?q=${encodeURIComponent(title)}&tab=trainings`
  if (state === 'planned') return { title, action: { label: copy.next.toTraining, to: `${paths.trainings}?tab=mine` } }
  if (state === 'expired')
    return { title: copy.next.renew(proof ?? title), action: { label: copy.next.updateDate, to: paths.profile } }
  if (metBy === 'milestone') return { title, action: { label: copy.next.toProfile, to: paths.profile } }
  if (metBy === 'tick') return { title, action: null }
  return { title, action: { label: copy.next.findTraining, to: search } }
}

/** The places of two neighbors, exchanged; null at the end of the list. */
export function moved(
  requirements: readonly Pick<Requirement, 'id' | 'place'>[],
  id: string,
  by: -1 | 1,
): { id: string; place: number }[] | null {
  const at = requirements.findIndex((one) => one.id === id)
  const other = at + by
  if (at < 0 || other < 0 || other >= requirements.length) return null
  const order = requirements.map((one) => one.id)
  order.splice(at, 1)
  order.splice(other, 0, id)
  const places = order.map((one, index) => ({ id: one, place: (index + 1) * 10 }))
  return places.filter(({ id: one, place }) => requirements.find((now) => now.id === one)?.place !== place)
}
