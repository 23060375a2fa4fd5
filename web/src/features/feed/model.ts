/** Posts, their kinds, comment threads, and mentions in texts. Pure. */
import { nameOf } from '@/api/people/model'
import type { StoredFile } from '@/lib/files/model'
import { copy } from './copy'

export const kinds = ['lesson', 'training', 'project', 'question', 'general'] as const
export type Kind = (typeof kinds)[number]
export const isKind = (value: unknown): value is Kind => kinds.some((kind) => kind === value)
export const kindOf = (value: string): Kind => (isKind(value) ? value : 'general')

interface Author {
  id: string
  full_name: string | null
  avatar_url: string | null
  position: string | null
  department: string | null
}

export interface PostPicture extends StoredFile {
  position: number | null
}

export interface Post {
  id: string
  user_id: string | null
  kind: string
  title: string | null
  content: string
  tags: string[]
  /** Its pictures, in any order. */
  files: PostPicture[]
  starts_at: string | null
  ends_at: string | null
  location: string | null
  link: string | null
  is_command_post: boolean
  comment_count: number
  reaction_count: number
  /** How many members will use the lesson (§16.4). */
  use_count: number
  created_at: string
  updated_at: string
  author: Author | null
  /** The member's own reaction, if any. */
  mine: { id: string }[]
  /** The member's own use of the lesson, if any: no other is ever readable. */
  used: { id: string }[]
  /** The member's own mark in Saved, if any: no other is ever readable. */
  saved: { id: string }[]
  /** In lists of posts: the comment that most members found useful, the newest of equals. */
  top?: Comment[]
}

/** Without a name: hidden by privacy, or of an account that was deleted. */
export const authorName = ({ author, user_id }: { author: Author | null; user_id: string | null }): string =>
  nameOf(author, user_id === null ? copy.former : copy.anonymous)

export const picturesOf = ({ files }: Pick<Post, 'files'>): PostPicture[] =>
  files.toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))

export interface Comment {
  id: string
  post_id: string
  user_id: string | null
  parent_id: string | null
  content: string
  reaction_count: number
  created_at: string
  updated_at: string
  author: Author | null
  mine: { id: string }[]
  mentions: { mentioned_user_id: string; who: { full_name: string | null } | null }[]
}

export interface Thread {
  comment: Comment
  answers: Comment[]
}

/** Threads have one level: a reply to a reply is listed under the same root, in the order they were written. */
export function threadsOf(oldestFirst: readonly Comment[]): Thread[] {
  const byId = new Map(oldestFirst.map((comment) => [comment.id, comment]))
  const rootOf = (comment: Comment): Comment => {
    const seen = new Set<string>()
    let root = comment
    for (;;) {
      const parent = root.parent_id ? byId.get(root.parent_id) : undefined
      if (!parent || seen.has(parent.id)) return root
      seen.add(parent.id)
      root = parent
    }
  }
  const threads = new Map<string, Thread>()
  for (const comment of oldestFirst) {
    const root = rootOf(comment)
    if (root === comment) threads.set(comment.id, { comment, answers: [] })
  }
  for (const comment of oldestFirst) {
    const root = rootOf(comment)
    if (root !== comment) threads.get(root.id)?.answers.push(comment)
  }
  return [...threads.values()]
}

export interface Named {
  id: string
  name: string
}

/** Somebody named in a comment, and the row that says so. */
export interface Mention extends Named {
  mentionId: string
}

export type Piece = { text: string } | { mention: Named }

/** Splits a text at the names of mentioned members; the longest name wins. */
export function piecesOf(text: string, named: readonly Named[]): Piece[] {
  const names = [...named].filter(({ name }) => name).sort((a, b) => b.name.length - a.name.length)
  const pieces: Piece[] = []
  let plain = ''
  let at = 0
  while (at < text.length) {
    const found = text[at] === '@' ? names.find(({ name }) => text.startsWith(name, at + 1)) : undefined
    if (found) {
      if (plain) pieces.push({ text: plain })
      plain = ''
      pieces.push({ mention: found })
      at += found.name.length + 1
    } else {
      plain += text[at] ?? ''
      at += 1
    }
  }
  if (plain) pieces.push({ text: plain })
  return pieces
}

/** The picked members that are still named in the text, without duplicates. */
export const namedIn = (text: string, picked: readonly Named[]): Named[] => {
  const found = new Map(
    piecesOf(text, picked).flatMap((piece) => ('mention' in piece ? [[piece.mention.id, piece.mention] as const] : [])),
  )
  return [...found.values()]
}

/** The name being typed at the caret: the text after an @ at the start of a word. */
export function mentionAt(text: string, caret: number): { from: number; term: string } | null {
  const before = text.slice(0, caret)
  const found = /(?:^|[\s(])@([\p{L}\p{N}.'-]+(?: [\p{L}\p{N}.'-]*)?)$/u.exec(before)
  const term = found?.[1]
  if (term === undefined) return null
  return { from: caret - term.length - 1, term }
}

export const isLink = (url: string) => /^https?:\/\/\S+$/i.test(url) && url.length <= 2048

export const wasEdited = ({ created_at, updated_at }: { created_at: string; updated_at: string }) =>
  Date.parse(updated_at) - Date.parse(created_at) > 1_000

/**
 * Posts that others wrote after this moment are not in the list yet. The member's own posts are added at once and say
 * nothing about others'; when a list has none by others, everything others wrote after its last row is new.
 */
export const newestOfOthers = (newestFirst: readonly Post[], memberId: string): string =>
  (newestFirst.find(({ user_id }) => user_id !== memberId) ?? newestFirst.at(-1))?.created_at ?? '1970-01-01T00:00:00Z'

const listPx = 300

/** Whether a list opens above its box: there is no room for it below, and more above. In px of the visible area. */
export const opensUpward = ({ top, bottom }: { top: number; bottom: number }, height: number): boolean =>
  height - bottom < listPx && top > height - bottom
