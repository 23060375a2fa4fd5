import { describe, expect, it } from 'vitest'
import { issuesOf } from '@/test/issues-of'
import {
  type Answers,
  clampStep,
  isEmail,
  noAnswers,
  normalizeEmail,
  parseDraft,
  outcomeOf,
  type Step,
  toggleMany,
  toggleSingle,
  toQuizResponse,
} from './model'
import { quizSteps } from './quiz-schema'

const full: Answers = {
  firefighterType: 'career',
  firefighterTypeOther: '',
  rank: 'Engineer',
  years: '6-10',
  platforms: ['reddit', 'other'],
  platformOther: 'A union forum',
  frustrations: 'Too loud',
  wishlist: 'Lessons I can find again',
  email: 'Dana@Example.org',
}

describe('a step of the quiz', () => {
  it.each<[string, Step, Partial<Answers>, string]>([
    ['§5.3 no type', 1, { firefighterType: '' }, 'Please select your firefighter type'],
    ['§5.3 other type unnamed', 1, { firefighterType: 'other' }, 'Please specify your firefighter type'],
    [
      '§5.3 other type blank',
      1,
      { firefighterType: 'other', firefighterTypeOther: '  ' },
      'Please specify your firefighter type',
    ],
    ['§5.4 no rank', 2, { rank: ' ' }, 'Please enter your current rank or role'],
    ['§5.5 no years', 3, { years: '' }, 'Please select your years of service'],
    ['§5.6 no platform', 4, { platforms: [] }, 'Please select at least one option'],
    ['§5.6 other platform unnamed', 4, { platformOther: '' }, 'Please specify the other platform'],
    ['§5.7 no frustrations', 5, { frustrations: '' }, 'Please share your frustrations with these platforms'],
    ['§5.8 no wishlist', 6, { wishlist: '' }, 'Please tell us what would make a new platform worth your time'],
    ['§5.9 no @', 7, { email: 'dana.example.org' }, 'Please enter a valid email address'],
    ['§5.9 empty', 7, { email: '' }, 'Please enter a valid email address'],
  ])('%s', (_name, step, change, want) => {
    expect(issuesOf(quizSteps[step], full)).toEqual({}) // the answered step passes
    expect(Object.values(issuesOf(quizSteps[step], { ...full, ...change }))).toEqual([want])
  })
})

describe('the answers', () => {
  it('§5.1 an e-mail is required, must contain an @, and is lower-cased', () => {
    expect([isEmail(''), isEmail('  '), isEmail('dana'), isEmail('dana@example.org')]).toEqual([
      false,
      false,
      false,
      true,
    ])
    for (const wrong of ['a@', '@b', 'a b@c.org', 'a@b@c', '<x>@y.org', 'chief@station,org', `a@${'b'.repeat(253)}`]) {
      expect(isEmail(wrong), wrong).toBe(false)
    }
    expect(isEmail(" o'neil+muster@station-7.example ")).toBe(true)
    expect(normalizeEmail(' Dana@Example.ORG ')).toBe('dana@example.org')
  })

  it('§5.10 choosing the selected single choice again clears it', () => {
    expect(toggleSingle('', 'career')).toBe('career')
    expect(toggleSingle('career', 'retired')).toBe('retired')
    expect(toggleSingle('career', 'career')).toBe('')
  })

  it('§3.29 platforms are a multiple choice', () => {
    expect(toggleMany(['reddit'], 'linkedin')).toEqual(['reddit', 'linkedin'])
    expect(toggleMany(['reddit', 'linkedin'], 'reddit')).toEqual(['linkedin'])
  })

  it('§2.59 steps stay between 1 and 7 (§9.21)', () => {
    expect([clampStep(-3), clampStep(0), clampStep(4), clampStep(8), clampStep(Number.NaN)]).toEqual([1, 1, 4, 7, 1])
  })

  it('§4.28 an existing entry counts as invited when it is invited or active, else as listed', () => {
    expect(['invited', 'active', 'waitlist', 'pending'].map(outcomeOf)).toEqual([
      'already-invited',
      'already-invited',
      'already-listed',
      'already-listed',
    ])
  })
})

describe('toQuizResponse', () => {
  it('§3.23 converts the answers to the row of the survey', () => {
    const row = toQuizResponse(full)
    expect(row).toMatchObject({
      firefighter_type: 'career',
      firefighter_type_other: null,
      current_rank: 'Engineer',
      years_of_service: '6-10',
      linkedin_reason: [],
      most_valued: [],
      is_waitlist_quiz: true,
    })
    expect(JSON.parse(row.linkedin_missing)).toEqual({
      connection_platforms: ['reddit', 'other'],
      connection_platforms_other: 'A union forum',
      platform_frustrations: 'Too loud',
      platform_wishlist: 'Lessons I can find again',
      is_waitlist_quiz: true,
    })
  })

  it('§3.24 fills missing answers with the defaults', () => {
    expect(toQuizResponse(noAnswers)).toMatchObject({
      firefighter_type: 'waitlist_quiz',
      years_of_service: 'unknown',
      linkedin_satisfaction: 'not_provided',
    })
  })

  it('keeps an "other" text only while other is chosen', () => {
    expect(toQuizResponse({ ...full, firefighterTypeOther: 'Airport' }).firefighter_type_other).toBeNull()
    expect(
      toQuizResponse({ ...full, firefighterType: 'other', firefighterTypeOther: ' Airport ' }).firefighter_type_other,
    ).toBe('Airport')
  })
})

describe('parseDraft', () => {
  it('restores the answers', () => {
    expect(parseDraft(JSON.stringify({ step: 4, answers: full }))).toEqual({ step: 4, answers: full })
  })

  it.each([null, '', 'not json', '[]', '{"step":1}', '{"step":"1","answers":{}}'])('ignores %j', (text) => {
    expect(parseDraft(text)).toBeNull()
  })

  it('replaces answers of a wrong type', () => {
    const draft = parseDraft('{"step":99,"answers":{"rank":5,"platforms":["reddit",3]}}')
    expect(draft).toEqual({ step: 7, answers: { ...noAnswers, platforms: ['reddit'] } })
  })
})
