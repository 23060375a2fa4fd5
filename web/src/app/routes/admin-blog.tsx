/** /admin/blog : the articles and their editor. */
import { useQueryClient } from '@tanstack/react-query'
import { BlogPage } from '@/features/admin-blog/components/blog-page'
import { blogKeys } from '@/features/blog/api/keys'
import { ArticleBody } from '@/features/blog/components/article-body'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  const client = useQueryClient()
  return (
    <>
      <DocumentHead title="Blog" />
      <BlogPage
        renderPreview={(content) => <ArticleBody content={content} />}
        onChanged={() => void client.invalidateQueries({ queryKey: blogKeys.all })}
      />
    </>
  )
}
