/** Values derived from articles: tags, reading time, summary, related articles (§3.39, §5.23, §9.23-24). Pure. */
import { partsOf } from '@/lib/files/model'
import { limits } from '@/config/limits'
import { plainText } from '@/lib/format/markdown'

export interface Author {
  id: string
  full_name: string | null
  avatar_url: string | null
  position: string | null
  department: string | null
}

export interface Article {
  id: string
  authorId: string | null
  title: string
  summary: string
  content: string
  category: string
  featuredImage: string | null
  slug: string
  tags: string[]
  createdAt: string
  readingMinutes: number
}

/** A row as the database's own functions answer it: with a part of the content, or none, and its reading time. */
export type ListedRow = PostRow & { reading_minutes: number }

export interface PostRow {
  id: string
  user_id: string | null
  title: string | null
  summary: string | null
  content: string | null
  category: string | null
  featured_image: string | null
  slug: string | null
  tags: unknown
  created_at: string
}

/** §3.39: an array, a JSON string that is parsed, or empty. */
export function parseTags(tags: unknown): string[] {
  if (typeof tags === 'string') {
    try {
      const parsed: unknown = JSON.parse(tags)
      return typeof parsed === 'string' ? [] : parseTags(parsed)
    } catch {
      return []
    }
  }
  return Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string' && tag.trim() !== '') : []
}

/** §9.23: 200 words a minute, rounded up, at least 1. */
export function readingMinutes(content: string): number {
  const words = content.split(/\s+/).filter(Boolean).length
  return Math.max(1, Math.ceil(words / limits.readingWordsPerMinute))
}

/** §5.23, §9.24: the first 150 characters of the content replace a missing summary. */
export function summaryOf(summary: string | null, content: string): string {
  if (summary?.trim()) return summary.trim()
  return Array.from(plainText(content)).slice(0, limits.summaryFallbackChars).join('')
}

/** A summary that was cut says so. */
const withEllipsis = (summary: string) =>
  Array.from(summary).length < limits.summaryFallbackChars ? summary : `${summary.trimEnd()}…`

/** Only of this site's storage: nobody else is told who reads. */
const coverOf = (address: string | null) => (address && partsOf(address)?.isPublic ? address : null)

export function toArticle(row: PostRow): Article {
  const content = row.content ?? ''
  return {
    id: row.id,
    authorId: row.user_id,
    title: row.title?.trim() || 'Untitled',
    summary: row.summary?.trim() || withEllipsis(summaryOf(null, content)),
    content,
    category: row.category?.trim() || 'Firefighting', // §3.39
    featuredImage: coverOf(row.featured_image),
    slug: row.slug || row.id,
    tags: parseTags(row.tags),
    createdAt: row.created_at,
    readingMinutes: readingMinutes(content),
  }
}

export const toListed = (row: ListedRow): Article => ({ ...toArticle(row), readingMinutes: row.reading_minutes })

/** The id of a heading: its words, for links to it. */
export const headingId = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
