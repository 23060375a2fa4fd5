/** The blog administration: the list of all articles, drafts included, or the editor. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import { Badge } from '@/components/ui/badge'
import { LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { ListStates } from '@/features/admin-shared/components/list-states'
import { PageHeader } from '@/features/admin-shared/components/page-header'
import { formatDate } from '@/lib/format/dates'
import { savedArticle } from '../api/mutations'
import { type Article, articleQuery, articlesQuery } from '../api/queries'
import { copy } from '../copy'
import { type Draft, emptyDraft } from '../model'
import { ArticleForm } from './article-form'

interface Props {
  /** Renders Markdown the way the blog does. */
  renderPreview: (content: string) => ReactNode
  /** The public blog has to be refetched. */
  onChanged: () => void
}

const draftOf = (found: Article): Draft => ({
  title: found.title ?? '',
  slug: found.slug ?? '',
  summary: found.summary ?? '',
  category: found.category,
  tags: found.tags.join(', '),
  image: found.featured_image ?? '',
  featured: found.is_featured,
  content: found.content,
})

/** Loads an article once; a later refetch never replaces local changes. */
function Editor({ id, ...props }: Props & { id: string }) {
  const navigate = useNavigate()
  // A new article gets an id when saved: the editor keeps its form all the same.
  const [open, setOpen] = useState({ id, saved: '', reloads: 0 })
  if (id !== open.id && id !== open.saved) setOpen({ id, saved: '', reloads: 0 })
  const isNew = open.id === 'new'
  const article = useQuery({ ...articleQuery(id), enabled: !isNew })
  const found = article.data
  const form = (isNew || found) && (
    <ArticleForm
      key={`${open.id} ${open.reloads}`}
      start={found ? draftOf(found) : emptyDraft}
      before={found ? savedArticle(found) : null}
      onSaved={(saved) => {
        if (saved === id) return
        setOpen({ ...open, saved })
        void navigate(`/admin/blog?article=${saved}`, { replace: true })
      }}
      onReload={() => void article.refetch().then(() => setOpen({ ...open, reloads: open.reloads + 1 }))}
      onDeleted={() => void navigate('/admin/blog', { replace: true })}
      {...props}
    />
  )
  return (
    <>
      <PageHeader title={id === 'new' ? copy.new : copy.edit} />
      {isNew ? (
        form
      ) : (
        <ListStates query={article} isEmpty={!found} emptyTitle={copy.gone} emptyText={copy.goneText}>
          {form}
        </ListStates>
      )}
    </>
  )
}

function List() {
  const articles = useQuery(articlesQuery)
  const rows = articles.data ?? []
  return (
    <>
      <PageHeader title={copy.title}>
        <LinkButton variant="primary" to="/admin/blog?article=new">
          {copy.new}
        </LinkButton>
      </PageHeader>
      <Card className="overflow-hidden">
        <ListStates query={articles} isEmpty={rows.length === 0} emptyTitle={copy.empty} emptyText={copy.emptyText}>
          <ul className="divide-y divide-line">
            {rows.map(({ id, title, slug, category, is_public_blog, is_featured, updated_at }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 p-4">
                <div className="min-w-0 grow">
                  <Link
                    to={`/admin/blog?article=${id}`}
                    dir="auto"
                    className="type-name [overflow-wrap:anywhere] hover:underline"
                  >
                    {title}
                  </Link>
                  <p className="text-small [overflow-wrap:anywhere] text-muted">
                    {category} · {formatDate(updated_at)} · /blog/{slug}
                  </p>
                </div>
                {is_featured && <Badge variant="ember">{copy.featured}</Badge>}
                <Badge variant={is_public_blog ? 'success' : 'general'}>
                  {is_public_blog ? copy.published : copy.draft}
                </Badge>
              </li>
            ))}
          </ul>
        </ListStates>
      </Card>
    </>
  )
}

export function BlogPage(props: Props) {
  const [params] = useSearchParams()
  const id = params.get('article')
  return id ? <Editor id={id} {...props} /> : <List />
}
