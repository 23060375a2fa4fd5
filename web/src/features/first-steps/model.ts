/** The first steps in the order in which they are shown. Pure. */
import type { FirstSteps } from '@/api/first-steps/queries'

export type StepName = 'photo' | 'rank' | 'certification' | 'people' | 'lesson'

export interface Step {
  name: StepName
  isDone: boolean
}

const peopleWanted = 3

/** Open ones first, in the order in which they are useful; what is done sinks to the bottom. */
export function stepsOf(row: FirstSteps): Step[] {
  const steps: Step[] = [
    { name: 'photo', isDone: row.hasPhoto },
    { name: 'rank', isDone: row.hasRank },
    { name: 'certification', isDone: row.hasCertification },
    { name: 'people', isDone: row.people >= peopleWanted },
    { name: 'lesson', isDone: row.hasRead },
  ]
  return [...steps.filter(({ isDone }) => !isDone), ...steps.filter(({ isDone }) => isDone)]
}
