/** A growth plan: its requirements, what is met, and the next step. Pure. */

export const goalKinds = ['rank', 'certification', 'specialty'] as const
export type GoalKind = (typeof goalKinds)[number]
export const isGoalKind = (value: string): value is GoalKind => goalKinds.some((kind) => kind === value)

export const ways = ['certification', 'training', 'milestone', 'tick'] as const
export type Way = (typeof ways)[number]
const isWay = (value: string): value is Way => ways.some((way) => way === value)

const states = ['open', 'planned', 'met', 'expired', 'canceled', 'gone'] as const
type State = (typeof states)[number]
const isState = (value: string): value is State => states.some((state) => state === value)

export interface Requirement {
  id: string
  place: number
  title: string
  detail: string
  /** What is expected to meet it; any of the four may. */
  metBy: Way
  /** expired, canceled, gone: what met it does no longer. planned: a training to come. */
  state: State
  /** The name of what meets it, or met it. */
  proof: string | null
  /** The day on which that expires, began or takes place. */
  proofOn: string | null
  isLinked: boolean
}

export interface Plan {
  userId: string
  kind: GoalKind
  title: string
  visibility: string
  requirements: Requirement[]
}

interface Row {
  id: string
  place: number
  title: string
  detail: string
  met_by: string
  state: string
  proof: string | null
  proof_on: string | null
  is_linked: boolean
}

export const requirementOf = (row: Row): Requirement => ({
  id: row.id,
  place: row.place,
  title: row.title,
  detail: row.detail,
  metBy: isWay(row.met_by) ? row.met_by : 'tick',
  state: isState(row.state) ? row.state : 'open',
  proof: row.proof,
  proofOn: row.proof_on,
  isLinked: row.is_linked,
})

type Standing = Pick<Requirement, 'state'>

export const metCount = (requirements: readonly Standing[]) =>
  requirements.filter(({ state }) => state === 'met').length

/** The first that is not met; null when all are, or there are none. */
export const nextOf = <T extends Standing>(requirements: readonly T[]): T | null =>
  requirements.find(({ state }) => state !== 'met') ?? null
