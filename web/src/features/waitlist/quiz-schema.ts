/** Validation of each quiz step, one schema per step over all answers (§5.2-9). */
import * as z from 'zod/mini'
import { copy } from './copy'
import { type Answers, type Field, isEmail, type Step } from './model'

const { invalid } = copy

const answers = z.object({
  firefighterType: z.string(),
  firefighterTypeOther: z.string(),
  rank: z.string(),
  years: z.string(),
  platforms: z.array(z.string()),
  platformOther: z.string(),
  frustrations: z.string(),
  wishlist: z.string(),
  email: z.string(),
})

const isMissing = (answer: string | string[]) => (typeof answer === 'string' ? answer.trim() : answer).length === 0

const requires = (field: Field, error: string, when: (given: Answers) => boolean = () => true) =>
  z.refine<Answers>((given) => !when(given) || !isMissing(given[field]), { path: [field], error })

export const quizSteps: Record<Step, z.ZodMiniType<Answers, Answers>> = {
  1: answers.check(
    requires('firefighterType', invalid.type),
    requires('firefighterTypeOther', invalid.typeOther, ({ firefighterType }) => firefighterType === 'other'),
  ),
  2: answers.check(requires('rank', invalid.rank)),
  3: answers.check(requires('years', invalid.years)),
  4: answers.check(
    requires('platforms', invalid.platforms),
    requires('platformOther', invalid.platformOther, ({ platforms }) => platforms.includes('other')),
  ),
  5: answers.check(requires('frustrations', invalid.frustrations)),
  6: answers.check(requires('wishlist', invalid.wishlist)),
  7: answers.check(z.refine(({ email }) => isEmail(email), { path: ['email'], error: invalid.email })),
}
