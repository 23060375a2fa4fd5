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

function serve(id: string, rows: object) {
  const data = document.createElement('script')
  data.type = 'application/json'
  data.id = id
  data.textContent = JSON.stringify(rows)
  document.body.append(data)
}

beforeEach(() => vi.resetModules())
afterEach(() => document.body.replaceChildren())

it('gives the rows and the text of the article in the document', async () => {
  document.body.innerHTML = '<div class="prose" data-slot="whole"><p>Raise <strong>them</strong>.</p></div>'
  serve('served-article', { post, author })
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

it('gives the first page of the list, its authors and topics, and takes the length of what did not come along', async () => {
  const long = { ...post, id: '2', slug: 'long', content: null, reading_minutes: 50 }
  serve('served-list', {
    posts: [{ ...post, reading_minutes: 1 }, long],
    authors: [author],
    total: 9,
    topics: ['Drills'],
  })
  const served = await import('./served')
  document.body.replaceChildren()
  const list = served.servedList()
  expect(list?.total).toBe(9)
  expect(list?.articles.map((one) => [one.slug, one.readingMinutes, one.content])).toEqual([
    ['ladders', 1, post.content],
    ['long', 50, ''],
  ])
  expect(served.servedTopics()).toEqual(['Drills'])
  expect(served.servedAuthors(['dana'])?.get('dana')).toEqual(author)
  expect(served.servedAuthors(['ada', 'dana'])).toBeUndefined()
  expect(served.servedAuthors([])).toBeUndefined()
  expect(served.servedArticle('ladders')).toBeUndefined()
})

it('gives nothing where the server wrote nothing', async () => {
  const served = await import('./served')
  expect(served.servedArticle('ladders')).toBeUndefined()
  expect(served.servedText('')).toBeUndefined()
  expect(served.servedList()).toBeUndefined()
  expect(served.servedTopics()).toBeUndefined()
})
