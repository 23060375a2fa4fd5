/** What the admin area derives: views from addresses, CSV, slugs, answers in words. Pure. */
import { beginningOf } from '@/lib/format/truncate'

export const pageSize = 25

export const waitlistStatuses = ['waitlist', 'pending', 'invited', 'active'] as const
export type WaitlistStatus = (typeof waitlistStatuses)[number]

export interface WaitlistView {
  search: string
  standing: string
  kind: string
  years: string
  page: number
  oldestFirst: boolean
}

export const sorts = ['joined', 'name', 'email', 'department', 'last_sign_in'] as const
export const standings = ['all', 'admins', 'suspended', 'unconfirmed'] as const

export interface MembersView {
  search: string
  standing: string
  sort: string
  descending: boolean
  page: number
}

/** A page's number from an address: at least the first one. */
export const pageOf = (text: string | null) => Math.min(Math.max(Math.trunc(Number(text)) || 1, 1), 10_000)
const oneOf = <T extends string>(allowed: readonly T[], text: string | null, otherwise: T): T =>
  allowed.find((one) => one === text) ?? otherwise

export const parseWaitlistView = (params: URLSearchParams): WaitlistView => ({
  search: params.get('search') ?? '',
  standing: oneOf(['', ...waitlistStatuses], params.get('status'), ''),
  kind: params.get('type') ?? '',
  years: params.get('years') ?? '',
  page: pageOf(params.get('page')),
  oldestFirst: params.get('order') === 'oldest',
})

export const parseMembersView = (params: URLSearchParams): MembersView => ({
  search: params.get('search') ?? '',
  standing: oneOf(standings, params.get('standing'), 'all'),
  sort: oneOf(sorts, params.get('sort'), 'joined'),
  descending: params.get('order') !== 'up',
  page: pageOf(params.get('page')),
})

/** A cell that no spreadsheet takes for a formula: what begins like one gets an apostrophe, everything is quoted. */
export function csvCell(value: string | null | undefined): string {
  const text = value ?? ''
  const safe = /^[\s\p{Cc}]*[=+\-@|%＝＋－＠]/u.test(text) || /^\p{Cc}/u.test(text) ? `'${text}` : text
  return `"${safe.replace(/"/g, '""')}"`
}

export const toCsv = (head: readonly string[], rows: readonly (readonly (string | null)[])[]) =>
  [head, ...rows].map((row) => row.map(csvCell).join(',')).join('\r\n') + '\r\n'

/** The answers inside linkedin_missing (§3.23); anything unexpected counts as no answer. */
export interface QuizAnswers {
  platforms: string[]
  platformOther: string
  frustrations: string
  wishlist: string
}

export function parseQuizAnswers(json: string | null): QuizAnswers {
  const none = { platforms: [], platformOther: '', frustrations: '', wishlist: '' }
  try {
    const said: unknown = JSON.parse(json ?? 'null')
    if (typeof said !== 'object' || said === null) return none
    const fields = said as Record<string, unknown>
    const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '')
    const list = fields.connection_platforms
    return {
      platforms: Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [],
      platformOther: text('connection_platforms_other'),
      frustrations: text('platform_frustrations'),
      wishlist: text('platform_wishlist'),
    }
  } catch {
    return none
  }
}

/** A title as the last part of an address: what the database's rule on slugs accepts. */
export const slugOf = (title: string) =>
  title
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 120)
    .replace(/^-+|-+$/g, '')

export const isSlug = (text: string) => text.length <= 120 && /^[a-z0-9]+(-[a-z0-9]+)*$/.test(text)

/** Tags from one line: at most 12, each once. */
export const tagsOf = (line: string) => [
  ...new Set(
    line
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]

/** §9.16: a feedback's first 100 characters. */
export const previewChars = 100
export const previewOf = (text: string): string => beginningOf(text, previewChars)

export const maxWeeks = 157 // three years: what the database counts

/** The weeks that the dashboard shows: so many to this one, or those of a range of days. */
export interface Period {
  /** How many weeks to ask for, this week being the last. */
  weeks: number
  /** Monday of the first and of the last week shown, as the database writes days. */
  first: string
  last: string
}

const dayMs = 86_400_000
const isoDay = (time: number) => new Date(time).toISOString().slice(0, 10)

/** The Monday (UTC) of the week that a day is in. */
export function mondayOf(day: string): number {
  const time = Date.parse(`${day}T00:00:00Z`)
  return time - ((new Date(time).getUTCDay() + 6) % 7) * dayMs
}

const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

/** From an address: `from` and `to`, or `weeks`; whatever makes no sense is bent to what does. */
export function parsePeriod(params: URLSearchParams, today: string): Period {
  const thisMonday = mondayOf(today)
  const earliest = thisMonday - (maxWeeks - 1) * 7 * dayMs
  const bent = (monday: number) => Math.min(Math.max(monday, earliest), thisMonday)
  const [from, to] = [params.get('from'), params.get('to')]
  if (!isDay(from)) {
    const weeks = [4, 12, 26, 52].find((known) => String(known) === params.get('weeks')) ?? 12
    return { weeks, first: isoDay(thisMonday - (weeks - 1) * 7 * dayMs), last: isoDay(thisMonday) }
  }
  const last = isDay(to) ? bent(mondayOf(to)) : thisMonday
  const first = Math.min(bent(mondayOf(from)), last)
  return { weeks: (thisMonday - first) / (7 * dayMs) + 1, first: isoDay(first), last: isoDay(last) }
}

/** Running totals that end at what there is now. */
export function runningTotals(perWeek: readonly number[], now: number): number[] {
  let after = now
  return [...perWeek]
    .reverse()
    .map((fresh) => {
      const total = after
      after -= fresh
      return Math.max(0, total)
    })
    .reverse()
}

/** The top of a chart's axis, in four equal steps of round numbers. */
export function niceTop(max: number): number {
  if (max <= 4) return 4
  const raw = max / 4
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = [1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]
    .map((factor) => factor * power)
    .find((size) => size >= raw && Number.isInteger(size))
  return (step ?? Math.ceil(raw)) * 4
}

/** An article as the form holds it. */
export interface Draft {
  title: string
  slug: string
  summary: string
  category: string
  tags: string
  image: string
  featured: boolean
  content: string
}

/** An uploaded cover: 16 by 9, redrawn so small that a list of articles stays light. The database takes 200,000. */
export const coverShape = {
  sizes: [
    [1200, 675],
    [960, 540],
    [640, 360],
  ],
  mostChars: 120_000,
} as const
export const isUploaded = (image: string) => image.startsWith('data:image/')

export const emptyDraft: Draft = {
  title: '',
  slug: '',
  summary: '',
  category: 'Firefighting', // §3.39
  tags: '',
  image: '',
  featured: false,
  content: '',
}

export type DraftField = 'title' | 'slug' | 'content' | 'tags' | 'image'

/** What keeps an article from being saved. */
export function wrongIn(draft: Draft): DraftField[] {
  const image = draft.image.trim()
  const wrong: [DraftField, boolean][] = [
    ['title', draft.title.trim() === ''],
    ['slug', !isSlug(draft.slug)],
    ['content', draft.content.trim() === ''],
    ['tags', tagsOf(draft.tags).length > 12],
    ['image', image !== '' && !isUploaded(image) && !/^(https?:\/\/|\/[^/\\])/.test(image)],
  ]
  return wrong.filter(([, is]) => is).map(([field]) => field)
}

export const rowOf = (draft: Draft, published: boolean) => ({
  title: draft.title.trim(),
  slug: draft.slug,
  summary: draft.summary.trim() || null,
  category: draft.category.trim() || emptyDraft.category,
  tags: tagsOf(draft.tags),
  featured_image: draft.image.trim() || null,
  content: draft.content,
  is_featured: draft.featured,
  is_public_blog: published,
})
