/** Up to 3 articles on the landing page (§2.1, §9.22). */
import { DataProvider } from '@/api/data-provider'
import { ArticleGrid } from './article-grid'

export default function FeaturedArticles() {
  return (
    <DataProvider>
      <ArticleGrid />
    </DataProvider>
  )
}
