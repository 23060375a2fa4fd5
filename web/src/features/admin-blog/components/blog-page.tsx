/** The blog administration: the list of all articles, drafts included, or the editor. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import { Cover } from '@/components/art/cover'
import { Badge } from '@/components/ui/badge'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { FilterSelect } from '@/features/admin-shared/components/filter-select'
import { ListStates } from '@/features/admin-shared/components/list-states'
import { PageHeader } from '@/features/admin-shared/components/page-header'
import { Pager } from '@/features/admin-shared/components/pager'
import { SearchBox } from '@/features/admin-shared/components/search-box'
import { adminCopy } from '@/features/admin-shared/copy'
import { useListView } from '@/features/admin-shared/use-list-view'
import { publicPicture } from '@/lib/files/model'
import { formatDate } from '@/lib/format/dates'
import { savedArticle } from '../api/mutations'
import { type Article, articleQuery, articlesQuery, categoriesQuery } from '../api/queries'
import { copy } from '../copy'
import { type Draft, emptyDraft, parseArticlesView } from '../model'
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
  const categories = useQuery(categoriesQuery).data ?? []
  const form = (isNew || found) && (
    <ArticleForm
      key={`${open.id} ${open.reloads}`}
      start={found ? draftOf(found) : emptyDraft}
      categories={categories}
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

type Listed = Awaited<ReturnType<NonNullable<ReturnType<typeof articlesQuery>['queryFn']>>>['rows'][number]

function Row({ article }: { article: Listed }) {
  const { id, title, slug, category, featured_image: image, is_public_blog: isPublic, author } = article
  const date = isPublic
    ? copy.publishedOn(formatDate(article.published_at))
    : copy.changedOn(formatDate(article.updated_at))
  const name = author?.full_name?.trim()
  const picture = 'aspect-video w-24 shrink-0 rounded-tag border border-line object-cover max-sm:w-16'
  return (
    <li className="relative flex items-center gap-4 p-4 hover:bg-sunken">
      {image ? (
        <img src={publicPicture(image, 640)} alt="" loading="lazy" className={picture} />
      ) : (
        <Cover slug={slug ?? ''} category={category} className={picture} />
      )}
      <div className="flex min-w-0 grow flex-wrap items-center gap-x-4 gap-y-1">
        <div className="min-w-0 grow basis-60">
          <Link
            to={`/admin/blog?article=${id}`}
            dir="auto"
            className="type-name [overflow-wrap:anywhere] before:absolute before:inset-0 before:content-[''] hover:underline"
          >
            {title}
          </Link>
          <p className="text-small [overflow-wrap:anywhere] text-muted">
            {[category, date, name && copy.by(name), `/blog/${slug}`].filter(Boolean).join(' · ')}
          </p>
        </div>
        {article.is_featured && <Badge variant="ember">{copy.featured}</Badge>}
        <Badge variant={isPublic ? 'success' : 'general'}>{isPublic ? copy.published : copy.draft}</Badge>
      </div>
    </li>
  )
}

function List() {
  const { view, change } = useListView(parseArticlesView)
  const articles = useQuery(articlesQuery(view))
  const rows = articles.data?.rows ?? []
  const filtered = view.search || view.status || view.page > 1
  return (
    <>
      <PageHeader title={copy.title}>
        <LinkButton variant="primary" to="/admin/blog?article=new">
          {copy.new}
        </LinkButton>
      </PageHeader>
      <div className="mb-4 flex flex-wrap gap-3">
        <SearchBox value={view.search} label={copy.search} onSearch={(search) => change({ search })} />
        <FilterSelect
          label={copy.status}
          value={view.status}
          options={Object.entries(copy.statuses)}
          onChoose={(status) => change({ status })}
        />
      </div>
      <Card className="overflow-hidden">
        <ListStates
          query={articles}
          isEmpty={rows.length === 0}
          emptyTitle={filtered ? copy.noneFound : copy.empty}
          emptyText={filtered ? copy.noneFoundText : copy.emptyText}
          emptyAction={
            filtered && <Button onClick={() => change({ search: '', status: '' })}>{adminCopy.everything}</Button>
          }
        >
          <ul className="divide-y divide-line">
            {rows.map((article) => (
              <Row key={article.id} article={article} />
            ))}
          </ul>
        </ListStates>
        <Pager page={view.page} total={articles.data?.total ?? 0} onPage={(next) => change({ page: String(next) })} />
      </Card>
    </>
  )
}

export function BlogPage(props: Props) {
  const [params] = useSearchParams()
  const id = params.get('article')
  return id ? <Editor id={id} {...props} /> : <List />
}
