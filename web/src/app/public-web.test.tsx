import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { renderApp } from '@/test/render-app'
import { probeHandler, rest, server, storeSession, withServer } from '@/test/server'

withServer()
beforeEach(() => {
  server.use(
    probeHandler,
    http.get(rest('posts'), () => HttpResponse.json([])),
    http.get(rest('profiles'), () => HttpResponse.json([])),
    http.post(rest('rpc/article_topics'), () => HttpResponse.json([{ category: 'Training', articles: 2 }])),
  )
})

const article = (n: number) => ({
  id: `00000000-0000-4000-8000-00000000000${n}`,
  user_id: null,
  title: `Article ${n}`,
  summary: null,
  content: 'word '.repeat(450),
  category: 'Training',
  featured_image: null,
  slug: `article-${n}`,
  tags: '["ladders"]',
  created_at: '2025-01-05T12:00:00Z',
})

describe('the landing page', () => {
  it('§2.1 shows the hero, six features, the call to action and the footer; §2.15 the header’s links', async () => {
    renderApp('/')
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('Ready to share lessons learned.')
    expect(document.querySelectorAll('[data-slot="feature"]')).toHaveLength(6)
    const header = within(screen.getByRole('banner'))
    expect(header.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login')
    expect(header.getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register')
    expect(within(screen.getByRole('main')).getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login')
    expect(screen.getByText('Already a member?')).toBeInTheDocument()
    expect(screen.getByText(/All rights reserved/)).toBeInTheDocument()
  })

  it('§1.2, §2.9-10, §2.14 members get GO TO FEED, Go to Dashboard and their avatar', async () => {
    storeSession()
    renderApp('/')
    expect(await screen.findByRole('link', { name: 'GO TO FEED' })).toHaveAttribute('href', '/feed')
    expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/dashboard')
    expect(await screen.findByRole('link', { name: 'Your dashboard' })).toHaveAttribute('href', '/dashboard')
    expect(screen.queryByRole('button', { name: 'Join Our Waitlist' })).not.toBeInTheDocument()
  })

  it('§2.11 a button opens the dialog, and answers survive closing it', async () => {
    const user = userEvent.setup()
    renderApp('/')
    const [button] = await screen.findAllByRole('button', { name: 'Join Our Waitlist' })
    await user.click(button as HTMLElement)
    const dialog = await screen.findByRole('dialog', { name: 'Join Our Waitlist' })
    await user.click(within(dialog).getByRole('button', { name: 'Next' }))
    expect(within(dialog).getByRole('alert')).toHaveTextContent('Please select your firefighter type') // §5.3, §5.11
    await user.click(within(dialog).getByRole('radio', { name: 'Wildland' }))
    await user.click(within(dialog).getByRole('button', { name: 'Next' }))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
    expect(button).toHaveFocus()
    await user.click(button as HTMLElement)
    expect(await screen.findByRole('progressbar', { name: 'Step 2 of 7' })).toBeInTheDocument() // §2.59
    await user.click(screen.getByRole('button', { name: 'Back' }))
    expect(screen.getByRole('radio', { name: 'Wildland' })).toBeChecked()
    await user.click(screen.getByRole('radio', { name: 'Wildland' })) // §5.10
    expect(screen.getByRole('radio', { name: 'Wildland' })).not.toBeChecked()
    expect(screen.queryByRole('button', { name: 'Back' })).not.toBeInTheDocument() // §2.59: not below step 1
  })
})

describe('the blog', () => {
  it('§4.37 shows the coming-soon text while it is empty', async () => {
    renderApp('/blog')
    expect(await screen.findByText('Blog Coming Soon')).toBeInTheDocument()
    expect(screen.getByText(/Check back soon for featured articles and resources\./)).toBeInTheDocument()
  })

  it('§7.36 requests public articles, newest first; §2.7, §9.23, §9.25-26 shows their data', async () => {
    let query = new URLSearchParams()
    server.use(
      http.get(rest('posts'), ({ request }) => {
        query = new URL(request.url).searchParams
        return HttpResponse.json([article(1), article(2)])
      }),
    )
    renderApp('/blog')
    expect(await screen.findByRole('link', { name: 'Article 1' })).toHaveAttribute('href', '/blog/article-1')
    expect(screen.getAllByText('3 min read')).toHaveLength(2)
    expect(screen.getAllByText('Jan 5, 2025')).toHaveLength(2)
    expect(screen.getAllByText('Anonymous')).toHaveLength(2)
    expect(Object.fromEntries(query)).toMatchObject({
      is_command_post: 'eq.false',
      is_blog_post: 'eq.true',
      is_public_blog: 'eq.true',
      order: 'created_at.desc',
    })
  })

  it('§2.7 lists a topic, or what is found by words, and older articles when asked', async () => {
    const user = userEvent.setup()
    const asked: URLSearchParams[] = []
    server.use(
      http.get(rest('posts'), ({ request }) => {
        const query = new URL(request.url).searchParams
        asked.push(query)
        const older = query.get('offset') === '13'
        const articles = Array.from({ length: older ? 1 : 13 }, (_, n) => article(older ? 13 : n))
        return HttpResponse.json(articles, { headers: { 'content-range': older ? '13-13/14' : '0-12/14' } })
      }),
      http.post(rest('rpc/search_articles'), async ({ request }) => {
        const { term } = (await request.json()) as { term: string }
        return HttpResponse.json(term === 'ladder' ? [article(7)] : [])
      }),
    )
    renderApp('/blog')
    await user.click(await screen.findByRole('link', { name: 'Training' }))
    await waitFor(() => expect(asked.at(-1)?.get('category')).toBe('eq.Training'))
    expect(await screen.findByText('1 to 13 of 14')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Older articles' }))
    expect(await screen.findByText('1 to 14 of 14')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Older articles' })).not.toBeInTheDocument()

    const field = screen.getByRole('searchbox', { name: 'Search articles' })
    await user.type(field, 'ladder')
    expect(await screen.findByText('1 article')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Article 7' })).toBeInTheDocument()
    await user.clear(field)
    await user.type(field, 'nozzles')
    expect(await screen.findByRole('heading', { name: 'No articles found' })).toBeInTheDocument()
    await user.click(screen.getByRole('link', { name: 'Show everything' }))
    expect(await screen.findByText('1 to 13 of 14')).toBeInTheDocument()
    expect(field).toHaveValue('')
  })

  it('§8.32 shows an error when the articles could not be loaded, and retries', async () => {
    const user = userEvent.setup()
    server.use(http.get(rest('posts'), () => HttpResponse.json({ message: 'down' }, { status: 500 })))
    renderApp('/blog')
    expect(await screen.findByText('Error loading blog posts', {}, { timeout: 8000 })).toBeInTheDocument()
    expect(screen.getByText('Please try again later.')).toBeInTheDocument()
    server.use(http.get(rest('posts'), () => HttpResponse.json([article(1)])))
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('link', { name: 'Article 1' })).toBeInTheDocument()
  })

  it('§2.8 shows an article with its tags, and its Markdown cannot run scripts', async () => {
    const hostile =
      '# Up\n\n<img src=x onerror="window.__hit = 1"><script>window.__hit = 1</script>\n\n[x](javascript:alert(1)) **bold**'
    server.use(http.get(rest('posts'), () => HttpResponse.json([{ ...article(1), content: hostile }])))
    renderApp('/blog/article-1')
    expect(await screen.findByRole('heading', { level: 1, name: 'Article 1' })).toBeInTheDocument()
    expect(await screen.findByRole('heading', { level: 2, name: 'Up' })).toBeInTheDocument()
    expect(within(screen.getByRole('list', { name: 'Tags' })).getByText('ladders')).toBeInTheDocument()
    const text = document.querySelector('.prose')
    expect(text?.querySelector('script, img, [onerror]')).toBeNull()
    expect(text?.querySelector('a')?.getAttribute('href') ?? '').not.toContain('javascript')
    expect(document.title).toBe('Article 1 | Muster')
  })

  it('§8.33, §9.26 an author who cannot be loaded is only logged and shown as Anonymous; a name is cut at 120 px', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {})
    const ofAda = { ...article(1), user_id: '3e6f2c1a-0000-4000-8000-00000000000a' }
    server.use(
      http.get(rest('posts'), () => HttpResponse.json([ofAda])),
      http.get(rest('profiles'), () => HttpResponse.json({ message: 'no authors today' }, { status: 500 })),
    )
    renderApp('/blog')
    const name = await screen.findByText('Anonymous')
    expect(name).toHaveStyle({ maxWidth: '120px' })
    expect(name).toHaveClass('truncate')
    expect(log).toHaveBeenCalledWith(expect.stringContaining('no authors today'))
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('§7.55, §8.46 shares by the clipboard when there is no share sheet; §8.34 shows an error when that fails', async () => {
    const user = userEvent.setup()
    server.use(http.get(rest('posts'), () => HttpResponse.json([article(1)])))
    renderApp('/blog/article-1')
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValueOnce(undefined)
    await user.click(await screen.findByRole('button', { name: 'Share' }))
    expect(await screen.findByText('The blog post link has been copied to your clipboard.')).toBeInTheDocument()
    expect(write).toHaveBeenCalledWith(`${window.location.origin}/blog/article-1`)
    write.mockRejectedValueOnce(new Error('denied'))
    await user.click(screen.getByRole('button', { name: 'Share' }))
    expect(await screen.findByText('Unable to copy the link. Please try again.')).toBeInTheDocument()
  })
})

describe('not found', () => {
  it.each([
    ['/nowhere', 'Page not found', ['Home Page'], ['Browse All Posts', 'Admin Dashboard']],
    ['/blog/none', 'Blog post not found', ['Home Page', 'Browse All Posts'], ['Admin Dashboard']],
  ])('§2.53-57 %s', async (address, title, there, absent) => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    renderApp(address)
    expect(await screen.findByRole('heading', { name: title })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Go Back' })).toBeInTheDocument()
    for (const name of there) expect(screen.getByRole('link', { name })).toBeInTheDocument()
    for (const name of absent) expect(screen.queryByRole('link', { name })).not.toBeInTheDocument()
  })

  it('§4.38, §8.36 the third visit says that the team was told, and tells it', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const told: unknown[] = []
    server.use(
      http.post(rest('feedback'), async ({ request }) => {
        told.push(await request.json())
        return new HttpResponse(null, { status: 201 })
      }),
    )
    localStorage.setItem('muster:not-found:/nowhere', '2')
    renderApp('/nowhere')
    expect(await screen.findByText('Navigation Issue Detected')).toBeInTheDocument()
    expect(localStorage.getItem('muster:not-found:/nowhere')).toBe('3')
    await waitFor(() => expect(told).toHaveLength(1))
    expect(told[0]).toMatchObject({ user_id: null, category: 'bug', content: 'Not found 3 times: /nowhere' })
  })

  it('§2.55 without a history, Go Back leads a visitor to the landing page', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const user = userEvent.setup()
    const router = renderApp('/nowhere')
    await user.click(await screen.findByRole('button', { name: 'Go Back' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/'))
  })
})

describe('the guard', () => {
  it('§2.27 sends a visitor to /login and remembers the requested page', async () => {
    const router = renderApp('/feed?kind=lesson')
    expect(await screen.findByRole('heading', { name: 'Sign In' })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/login')
    expect(router.state.location.state).toEqual({ from: '/feed?kind=lesson' })
  })
})
