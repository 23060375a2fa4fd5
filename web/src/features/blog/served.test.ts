/** What the server wrote is taken over where it is the article that is shown, and nothing else is. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const post = {
  id: '1',
  user_id: 'dana',
  title: 'Ladders',
  summary: 'In short.',
  content: 'Raise **them**.',
  category: 'Training',
  featured_image: null,
  slug: 'ladders',
  tags: [],
  created_at: '2026-01-05T00:00:00Z',
}
const author = { id: 'dana', full_name: 'Dana', avatar_url: null, position: null, department: null }

beforeEach(() => vi.resetModules())
afterEach(() => document.body.replaceChildren())

it('gives the rows and the text of the article in the document', async () => {
  document.body.innerHTML = '<div class="prose" data-slot="whole"><p>Raise <strong>them</strong>.</p></div>'
  const data = document.createElement('script')
  data.type = 'application/json'
  data.id = 'served-article'
  data.textContent = JSON.stringify({ post, author })
  document.body.append(data)
  const served = await import('./served')
  document.body.replaceChildren()
  expect(served.servedArticle('ladders')).toMatchObject({ title: 'Ladders', readingMinutes: 1 })
  expect(served.servedArticle('hoses')).toBeUndefined()
  expect(served.servedAuthors(['dana'])?.get('dana')).toEqual(author)
  expect(served.servedAuthors(['ada'])).toBeUndefined()
  for (let shown = 0; shown < 2; shown++) {
    const [paragraph] = served.servedText(post.content) ?? []
    expect(paragraph?.textContent).toBe('Raise them.')
  }
  expect(served.servedText('Edited.')).toBeUndefined()
})

it('gives nothing where the server wrote nothing', async () => {
  const served = await import('./served')
  expect(served.servedArticle('ladders')).toBeUndefined()
  expect(served.servedText('')).toBeUndefined()
})
