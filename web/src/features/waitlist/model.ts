/** The seven-step quiz: its answers, its steps, and the rows to write (§2.59, §3.23-37, §5.1-11). Pure. */
import { limits } from '@/config/limits'

export interface Answers {
  firefighterType: string
  firefighterTypeOther: string
  rank: string
  years: string
  platforms: string[]
  platformOther: string
  frustrations: string
  wishlist: string
  email: string
}

export type Field = keyof Answers
export type Step = 1 | 2 | 3 | 4 | 5 | 6 | 7

export const noAnswers: Answers = {
  firefighterType: '',
  firefighterTypeOther: '',
  rank: '',
  years: '',
  platforms: [],
  platformOther: '',
  frustrations: '',
  wishlist: '',
  email: '',
}

/** §5.1, §5.9: not empty, and an '@' in it. */
export const isEmail = (email: string) => email.trim() !== '' && email.includes('@')

/** §5.1: as it is saved. */
export const normalizeEmail = (email: string) => email.trim().toLowerCase()

/** §5.10: choosing the chosen one again takes it back. */
export const toggleSingle = (current: string, chosen: string) => (current === chosen ? '' : chosen)
export const toggleMany = (current: string[], chosen: string) =>
  current.includes(chosen) ? current.filter((one) => one !== chosen) : [...current, chosen]

const missing = (text: string) => text.trim() === ''

export const lastStep = limits.quizSteps as Step

/** §2.59: Back goes down to a minimum of step 1; Next never beyond the last. */
export const clampStep = (step: number) => Math.min(Math.max(Math.trunc(step) || 1, 1), lastStep) as Step

/** §3.23-24: the survey as a row; what the quiz leaves out gets its default. */
export function toQuizResponse(answers: Answers) {
  const other = (chosen: boolean, text: string) => (chosen && !missing(text) ? text.trim() : null)
  return {
    firefighter_type: answers.firefighterType || 'waitlist_quiz',
    firefighter_type_other: other(answers.firefighterType === 'other', answers.firefighterTypeOther),
    current_rank: answers.rank.trim(),
    years_of_service: answers.years || 'unknown',
    linkedin_reason: [] as string[],
    most_valued: [] as string[],
    linkedin_satisfaction: 'not_provided',
    linkedin_missing: JSON.stringify({
      connection_platforms: answers.platforms,
      connection_platforms_other: other(answers.platforms.includes('other'), answers.platformOther),
      platform_frustrations: answers.frustrations.trim(),
      platform_wishlist: answers.wishlist.trim(),
      is_waitlist_quiz: true,
    }),
    is_waitlist_quiz: true,
  }
}

/** §4.28: what an entry that is already there means for someone who joins. */
export const standingOf = (status: string) =>
  status === 'invited' || status === 'active' ? 'already-invited' : 'already-listed'

/** Answers kept from an accidental close or reload; anything unexpected in the store counts as nothing. */
export function parseDraft(text: string | null): { step: Step; answers: Answers } | null {
  if (!text) return null
  try {
    const draft: unknown = JSON.parse(text)
    if (typeof draft !== 'object' || draft === null || !('answers' in draft) || !('step' in draft)) return null
    const { answers, step } = draft
    if (typeof answers !== 'object' || answers === null || typeof step !== 'number') return null
    const stored = answers as Record<string, unknown>
    const text_ = (field: Field) => (typeof stored[field] === 'string' ? stored[field] : '')
    const platforms = Array.isArray(stored.platforms) ? stored.platforms.filter((one) => typeof one === 'string') : []
    return {
      step: clampStep(step),
      answers: {
        firefighterType: text_('firefighterType'),
        firefighterTypeOther: text_('firefighterTypeOther'),
        rank: text_('rank'),
        years: text_('years'),
        platforms,
        platformOther: text_('platformOther'),
        frustrations: text_('frustrations'),
        wishlist: text_('wishlist'),
        email: text_('email'),
      },
    }
  } catch {
    return null
  }
}
