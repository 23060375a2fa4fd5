/** Tabs of the search, where what it finds is, and the matches in it. Pure. */
import { paths } from '@/config/paths'
import { plainText } from '@/lib/format/markdown'

export const tabs = ['all', 'people', 'posts', 'lessons', 'trainings', 'articles'] as const
export type Tab = (typeof tabs)[number]
export type KindTab = Exclude<Tab, 'all'>
export type PostTab = Exclude<KindTab, 'people' | 'trainings'>
export const isPostTab = (tab: Tab): tab is PostTab => tab === 'posts' || tab === 'lessons' || tab === 'articles'
export const isTab = (value: string | null): value is Tab => tabs.some((tab) => tab === value)

const postKinds = ['general', 'lesson', 'training', 'project', 'question'] as const
export const isPostKind = (value: string): value is (typeof postKinds)[number] =>
  postKinds.some((kind) => kind === value)

export type Sort = 'best' | 'newest'

/** Links and table rows that the excerpt cut in two. */
const cutSyntax: readonly [RegExp, string][] = [
  [/\]\([^)\s]*\)?/g, ''],
  [/!?\[(?![^[\]]*\])/g, ''],
  [/\s*\|\s*/g, ' '],
]

/** The excerpt as people read it: articles are Markdown, posts are not. The marks of the matches stay. */
export const excerptOf = ({ slug, excerpt }: { slug: string | null; excerpt: string }): string =>
  slug ? cutSyntax.reduce((text, [syntax, instead]) => text.replace(syntax, instead), plainText(excerpt)) : excerpt

/** A text in pieces, those that match marked: the database encloses them in U+E000 and U+E001. */
export function piecesOf(text: string): { text: string; isMatch: boolean }[] {
  return text
    .split(/(\ue000[^\ue001]*\ue001?)/)
    .filter((piece) => piece !== '')
    .map((piece) => ({ text: piece.replace(/[\ue000\ue001]/g, ''), isMatch: piece.startsWith('\ue000') }))
}

/** Counts end at 100. */
export const countLabel = (count: number | undefined) =>
  count === undefined ? undefined : count >= 100 ? '99+' : String(count)

export const pathOfPost = ({ id, slug }: { id: string; slug: string | null }) =>
  slug ? paths.blogPost(slug) : paths.post(id)
