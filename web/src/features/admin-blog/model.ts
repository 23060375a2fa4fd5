/** Values derived in the blog administration: slugs from titles, tags, the list's view. Pure. */
import { oneOf, pageOf } from '@/features/admin-shared/model'

/** A title as a slug: what the database's check on slugs accepts. */
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

/** Tags from one line: at most 12, without duplicates. */
export const tagsOf = (line: string) => [
  ...new Set(
    line
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]

/** The list of articles, from its URL. */
export interface ArticlesView {
  search: string
  status: string
  page: number
}

export const parseArticlesView = (params: URLSearchParams): ArticlesView => ({
  search: params.get('search') ?? '',
  status: oneOf(['', 'published', 'draft'], params.get('status'), ''),
  page: pageOf(params.get('page')),
})

/** The values of the article form. */
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
