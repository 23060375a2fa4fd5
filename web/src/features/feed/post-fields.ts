/** The values of the post form: from a post, from a draft, to a row. Pure. */
import type { PostDraft } from './api/mutations'
import { partsOf, type StoredFile } from '@/lib/files/model'
import { isKind, type Kind, kindOf, picturesOf, type Post } from './model'
import { withTag } from './tags'

export interface PostFields {
  kind: Kind
  content: string
  title: string
  tags: string[]
  pictures: StoredFile[]
  starts: string
  ends: string
  location: string
  link: string
}

export const noFields = (kind: Kind = 'lesson'): PostFields => ({
  kind,
  content: '',
  title: '',
  tags: [],
  pictures: [],
  starts: '',
  ends: '',
  location: '',
  link: '',
})

/** datetime-local uses local time without a time zone. */
const toLocal = (iso: string | null) => {
  if (!iso) return ''
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
const fromLocal = (local: string) => (local ? new Date(local).toISOString() : null)

export const fieldsOfDraft = (draft: PostDraft): PostFields => ({
  kind: kindOf(draft.kind),
  content: draft.content,
  title: draft.title ?? '',
  tags: draft.tags,
  pictures: draft.pictures,
  starts: toLocal(draft.starts_at),
  ends: toLocal(draft.ends_at),
  location: draft.location ?? '',
  link: draft.link ?? '',
})

export const fieldsOf = (post: Post): PostFields => fieldsOfDraft({ ...post, pictures: picturesOf(post) })

/** Whether posts of this kind have a place and a time. */
export const isPlanned = (kind: Kind) => kind === 'training' || kind === 'project'

export function rowOf(fields: PostFields): PostDraft {
  const planned = isPlanned(fields.kind)
  return {
    kind: fields.kind,
    title: fields.title.trim() || null,
    content: fields.content.trim(),
    tags: fields.tags,
    pictures: fields.pictures,
    starts_at: planned ? fromLocal(fields.starts) : null,
    ends_at: planned && fields.starts ? fromLocal(fields.ends) : null,
    location: (planned && fields.location.trim()) || null,
    link: (planned && fields.link.trim()) || null,
  }
}

function parsePictures(kept: unknown): StoredFile[] {
  if (!Array.isArray(kept)) return []
  return kept.filter((one: Partial<StoredFile> | null): one is StoredFile => {
    const address = typeof one === 'object' && typeof one?.address === 'string' ? one.address : ''
    return partsOf(address)?.bucket === 'post-pictures' && typeof one?.alt === 'string' && typeof one.name === 'string'
  })
}

const parseTags = (kept: unknown): string[] =>
  Array.isArray(kept)
    ? kept.reduce((tags: string[], one: unknown) => (typeof one === 'string' ? withTag(tags, one) : tags), [])
    : []

/** A stored draft; null when there is none, or it is empty. */
export function parseDraft(kept: string | null): PostFields | null {
  try {
    const found: unknown = JSON.parse(kept ?? 'null')
    if (typeof found !== 'object' || found === null) return null
    const text = (name: keyof PostFields) => {
      const value: unknown = Reflect.get(found, name)
      return typeof value === 'string' ? value : ''
    }
    const kind = text('kind')
    const { kind: _kind, pictures: _pictures, tags: _tags, ...texts } = noFields()
    const fields = Object.fromEntries(Object.keys(texts).map((name) => [name, text(name as keyof PostFields)]))
    const draft = {
      ...noFields(),
      ...fields,
      kind: isKind(kind) ? kind : 'lesson',
      tags: parseTags(Reflect.get(found, 'tags')),
      pictures: parsePictures(Reflect.get(found, 'pictures')),
    } satisfies PostFields
    return isWritten(draft) ? draft : null
  } catch {
    return null
  }
}

/** Whether it contains anything besides the kind. */
export const isWritten = ({ kind: _kind, pictures, tags, ...texts }: PostFields) =>
  pictures.length > 0 || tags.length > 0 || Object.values(texts).some(Boolean)
