/** The seven-step quiz: its answers, its steps, and the rows to insert (§2.59, §3.23-37, §5.1-11). Pure. */
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

/** §5.1, §5.9: what the table takes as an address, without the letters that only a typing error brings. */
export const isEmail = (email: string) => /^[^@\s<>,;]+@[^@\s<>,;]+$/.test(email.trim()) && email.trim().length <= 254

/** §5.1: the form it is saved in. */
export const normalizeEmail = (email: string) => email.trim().toLowerCase()

/** §5.10: choosing the selected one again clears it. */
export const toggleSingle = (current: string, chosen: string) => (current === chosen ? '' : chosen)
export const toggleMany = (current: string[], chosen: string) =>
  current.includes(chosen) ? current.filter((one) => one !== chosen) : [...current, chosen]

const missing = (text: string) => text.trim() === ''

export const lastStep = limits.quizSteps as Step

/** §2.59: Back stops at step 1; Next at the last one. */
export const clampStep = (step: number) => Math.min(Math.max(Math.trunc(step) || 1, 1), lastStep) as Step

/** §3.23-24: the survey as a row; answers the quiz does not collect get their defaults. */
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

/** §4.28: how an existing entry is reported to somebody who joins. */
export const outcomeOf = (status: string) =>
  status === 'invited' || status === 'active' ? 'already-invited' : 'already-listed'

/** Answers stored before an accidental close or reload; malformed values are ignored. */
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
