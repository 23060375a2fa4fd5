import { HttpResponse } from 'msw'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { WindowedList } from '@/components/ui/windowed-list'
import { type LoggedRequest, requestsTo, ben, fails, me, memberBackend, profile } from '@/test/member-backend'
import { preloadPages, renderApp } from '@/test/render-app'
import { storeSession, withServer } from '@/test/server'

vi.mock('@/lib/supabase/keep-subscribed', () => ({ keepSubscribed: () => () => {} }))
// jsdom has no layout, so every row is rendered.
vi.mock('@/components/ui/windowed-list', () => ({
  WindowedList: ({ items, keyOf, children }: Parameters<typeof WindowedList<object>>[0]) => (
    <div role="list">
      {items.map((item) => (
        <div key={keyOf(item)}>
          <div role="listitem">{children(item)}</div>
        </div>
      ))}
    </div>
  ),
}))

withServer()
beforeAll(() => preloadPages('feed', 'post'), 60_000)
beforeEach(() => {
  storeSession()
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

const id = (n: number) => `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`
const author = { ...profile(ben, 'Ben Adeyemi') }
const post = (n: number, more: object = {}) => ({
  id: id(n),
  user_id: ben,
  kind: 'lesson',
  title: null,
  content: `Lesson ${n}`,
  tags: [],
  files: [],
  starts_at: null,
  ends_at: null,
  location: null,
  link: null,
  is_command_post: false,
  comment_count: 0,
  reaction_count: 0,
  use_count: 0,
  used: [],
  saved: [],
  created_at: `2026-01-05T12:00:${String(59 - n).padStart(2, '0')}Z`,
  updated_at: `2026-01-05T12:00:${String(59 - n).padStart(2, '0')}Z`,
  author,
  mine: [],
  ...more,
})
const comment = (n: number, more: object = {}) => ({
  id: id(80 + n),
  post_id: id(1),
  user_id: me,
  parent_id: null,
  content: `Comment ${n}`,
  reaction_count: 0,
  created_at: '2026-01-05T12:00:00Z',
  updated_at: '2026-01-05T12:00:00Z',
  author: profile(me, 'Dana Whitcomb'),
  mine: [],
  mentions: [],
  ...more,
})
const postIsGone = () =>
  HttpResponse.json({ code: '23503', message: 'Gone', details: null, hint: null }, { status: 409 })
const pageOf = (count: number) => Array.from({ length: count }, (_, i) => post(i + 1))
const isPage = ({ query }: LoggedRequest) => query.get('order') === 'created_at.desc,id.desc'
const box = () => screen.findByLabelText('What did this shift teach you?')

describe('the feed', () => {
  it('a next page that fails shows an error, waits for a click, and keeps the loaded posts', async () => {
    let broken = true
    const log = memberBackend({
      posts: (request) => {
        if (!isPage(request)) return []
        if (!request.query.get('or')) return pageOf(20)
        return broken ? fails(400)() : [post(30)]
      },
    })
    const user = userEvent.setup()
    renderApp('/feed')
    await user.click(await screen.findByRole('button', { name: 'Load more' }))
    expect(await screen.findByText('More posts could not be loaded.')).toBeInTheDocument()
    const request = requestsTo(log, 'GET', 'posts').length
    expect(screen.getByText('Lesson 20')).toBeInTheDocument()
    broken = false
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Lesson 30')).toBeInTheDocument()
    expect(requestsTo(log, 'GET', 'posts').length).toBe(request + 1)
    expect(screen.queryByText('More posts could not be loaded.')).not.toBeInTheDocument()
  })

  it('a list that was just fetched does not check for new posts', async () => {
    const log = memberBackend({ posts: (request) => (isPage(request) ? pageOf(3) : []) })
    renderApp('/feed')
    await screen.findByText('Lesson 3')
    expect(requestsTo(log, 'HEAD', 'posts')).toEqual([])
  })

  it('a kind without posts shows the empty state, with a link to all', async () => {
    memberBackend()
    renderApp('/feed?kind=question')
    expect(await screen.findByText('Nothing under Question yet')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Show all kinds' })).toHaveAttribute('href', '/feed')
  })

  it('a draft is complete after a reload', async () => {
    memberBackend()
    const user = userEvent.setup()
    renderApp('/feed')
    await user.type(await box(), 'Bring a mask')
    await user.click(await screen.findByRole('radio', { name: 'Training' }))
    await user.type(screen.getByLabelText('Where'), 'Station 2')
    cleanup()
    renderApp('/feed')
    expect(await box()).toHaveValue('Bring a mask')
    expect(screen.getByLabelText('Where')).toHaveValue('Station 2')
    expect(screen.getByRole('radio', { name: 'Training' })).toBeChecked()
  })

  it('a new post has the filtered kind, and a draft keeps its own', async () => {
    const log = memberBackend({
      'POST posts': ({ body }) => [{ ...post(7), ...(body as object), user_id: me }],
    })
    const user = userEvent.setup()
    renderApp('/feed?kind=question')
    await user.type(await box(), 'Who files?')
    expect(await screen.findByRole('radio', { name: 'Question' })).toBeChecked()
    await user.click(screen.getByRole('button', { name: /^Show: ?Question/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Project' }))
    await screen.findByRole('button', { name: /^Show: ?Project/ })
    expect(await box()).toHaveValue('Who files?')
    expect(screen.getByRole('radio', { name: 'Question' })).toBeChecked()
    await user.click(screen.getByRole('button', { name: 'Post' }))
    expect(await screen.findByRole('button', { name: 'See it' })).toBeInTheDocument() // the filter hides it
    expect(requestsTo(log, 'POST', 'posts')[0]?.body).toMatchObject({ kind: 'question', content: 'Who files?' })
    expect(await box()).toHaveValue('')
    await user.click(await box())
    expect(await screen.findByRole('radio', { name: 'Project' })).toBeChecked()
  })

  it('is posted once, however fast the clicks are', async () => {
    const log = memberBackend({ 'POST posts': ({ body }) => [{ ...post(7), ...(body as object), user_id: me }] })
    renderApp('/feed')
    await userEvent.setup().type(await box(), 'Once')
    const send = screen.getByRole('button', { name: 'Post' })
    for (let press = 0; press < 3; press += 1) send.click()
    expect(await screen.findByText('Posted')).toBeInTheDocument()
    expect(requestsTo(log, 'POST', 'posts')).toHaveLength(1)
  })

  it('is marked useful once, however fast the taps are', async () => {
    const log = memberBackend({ posts: (request) => (isPage(request) ? pageOf(1) : []), 'POST reactions': [] })
    renderApp('/feed')
    const useful = await screen.findByRole('button', { name: 'Useful, 0' })
    for (let tap = 0; tap < 2; tap += 1) useful.click()
    await waitFor(() => expect(useful).toHaveAccessibleName('Useful, 1'))
    await waitFor(() => expect(requestsTo(log, 'POST', 'reactions')).toHaveLength(1))
    expect(requestsTo(log, 'DELETE', 'reactions')).toHaveLength(0)
  })

  it('a rejected post stays in the form, and no constraint name is shown', async () => {
    const refuse = { message: 'violates check constraint "posts_x"', code: '23514', details: null, hint: null }
    memberBackend({ 'POST posts': () => Response.json(refuse, { status: 400 }) })
    const user = userEvent.setup()
    renderApp('/feed')
    await user.type(await box(), 'Twice')
    await user.click(screen.getByRole('button', { name: 'Post' }))
    expect(await screen.findByText('Post failed')).toBeInTheDocument()
    expect(screen.queryByText(/constraint/)).not.toBeInTheDocument()
    expect(await box()).toHaveValue('Twice')
  })

  it('the composer is one line until it is touched, and discards without a question what is empty', async () => {
    memberBackend()
    const user = userEvent.setup()
    renderApp('/feed')
    const text = await box()
    expect(screen.queryByRole('button', { name: 'Post' })).not.toBeInTheDocument()
    await user.click(text)
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Post' })).not.toBeInTheDocument())
    await user.type(await box(), 'Half a thought')
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    await user.click(await screen.findByRole('button', { name: 'Keep writing' }))
    expect(await box()).toHaveValue('Half a thought')
  })

  it('the composer says when members see the post without a name', async () => {
    const privacy_settings = { profile_visibility: 'connections' }
    memberBackend({ profiles: [{ ...profile(me, 'Dana Whitcomb'), privacy_settings }] })
    const user = userEvent.setup()
    renderApp('/feed')
    await user.click(await box())
    expect(await screen.findByText(/see it as Anonymous/)).toBeInTheDocument()
  })

  it('the top comment stands in the card, and is answered there', async () => {
    const top = [{ ...comment(1), user_id: ben, reaction_count: 2, author: { ...profile(ben, 'Ben Adeyemi') } }]
    const log = memberBackend({
      posts: (request) => (isPage(request) ? [post(1, { comment_count: 1, top })] : []),
      'POST comments': [],
    })
    const user = userEvent.setup()
    renderApp('/feed')
    expect(await screen.findByText('Top comment')).toBeInTheDocument()
    await user.type(screen.getByLabelText('Reply to Ben Adeyemi'), 'Copied')
    await user.click(screen.getByRole('button', { name: 'Comment' }))
    await waitFor(() => expect(requestsTo(log, 'POST', 'comments')[0]?.body).toMatchObject({ content: 'Copied' }))
    expect(requestsTo(log, 'POST', 'comments')[0]?.body).toMatchObject({ parent_id: top[0]?.id })
  })

  it('§11.4 tags are offered from those in use, chosen by keyboard, five at most, and sent', async () => {
    const log = memberBackend({
      'rpc/tags_in_use': [
        { tag: 'ladders', uses: 7 },
        { tag: 'ladder truck', uses: 2 },
      ],
      'POST posts': [post(9)],
    })
    const user = userEvent.setup()
    renderApp('/feed')
    await user.type(await box(), 'Throw them early')
    const tags = screen.getByRole('combobox', { name: 'Tags' })
    await user.type(tags, '#Lad')
    await screen.findByRole('option', { name: /ladders/ })
    await user.keyboard('{ArrowDown}{Enter}')
    await user.keyboard('Truck work,{Enter}b{Enter}b{Enter}c{Enter}d{Enter}')
    expect(tags).toHaveAttribute('readonly')
    expect(screen.getByText('Five tags is the limit.')).toBeInTheDocument()
    await user.keyboard('{Backspace}')
    await user.click(screen.getByRole('button', { name: 'Remove tag b' }))
    expect(tags).toHaveFocus()
    await user.keyboard('last')
    await user.click(screen.getByRole('button', { name: 'Post' }))
    await waitFor(() => expect(requestsTo(log, 'POST', 'posts')).toHaveLength(1))
    expect(requestsTo(log, 'POST', 'posts')[0]?.body).toMatchObject({ tags: ['ladders', 'truck work', 'c', 'last'] })
    expect(log.find(({ of }) => of === 'rpc/tags_in_use')?.body).toMatchObject({ prefix: '' })
  })

  it('§11.4 a tag opens its posts, whatever is in it, and the way back', async () => {
    const log = memberBackend({ posts: (request) => (isPage(request) ? [post(1, { tags: ['say "hi", {now}'] })] : []) })
    const user = userEvent.setup()
    renderApp('/feed')
    await user.click(await screen.findByRole('link', { name: '#say "hi", {now}' }))
    expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent('#say "hi" {now}')
    await waitFor(() =>
      expect(log.some(({ query }) => query.get('tags') === String.raw`cs.{"say \"hi\" {now}"}`)).toBe(true),
    )
    await user.click(screen.getByRole('link', { name: /^Show all posts/ }))
    expect(await box()).toBeInTheDocument()
  })

  it('an invalid field is focused and described', async () => {
    memberBackend()
    const user = userEvent.setup()
    renderApp('/feed')
    const text = await box()
    await user.click(text)
    await user.click(await screen.findByRole('button', { name: 'Post' }))
    expect(text).toHaveFocus()
    await waitFor(() => expect(text).toHaveAccessibleDescription('Write something first'))
  })
})

describe('comments', () => {
  const open = async (answers: Parameters<typeof memberBackend>[0] = {}) => {
    const log = memberBackend({
      posts: ({ query }) => (query.get('id') ? [post(1, { comment_count: 1 })] : []),
      comments: [comment(1)],
      'rpc/search_profiles': [profile(ben, 'Ben Adeyemi')],
      ...answers,
    })
    const user = userEvent.setup()
    renderApp(`/post/${id(1)}`)
    await screen.findByText('Comment 1')
    return { log, user, thread: within(screen.getByRole('region', { name: 'Comments' })) }
  }

  it('Reply focuses the form, Escape closes only an empty one', async () => {
    const { user, thread } = await open()
    const reply = thread.getByRole('button', { name: /^Reply/ })
    await user.click(reply)
    const answer = thread.getByLabelText('Reply to Dana Whitcomb. Type @ to mention someone.')
    expect(answer).toHaveFocus()
    await user.keyboard('Yes')
    await user.click(thread.getByRole('button', { name: /^Useful/ })) // draws the thread again
    await user.click(answer)
    await user.keyboard('{Escape}')
    expect(answer).toBeInTheDocument()
    expect(answer).toHaveValue('Yes')
    await user.clear(answer)
    await user.keyboard('{Escape}')
    expect(answer).not.toBeInTheDocument()
    await waitFor(() => expect(reply).toHaveFocus())
  })

  it('§17.2 a comment that waited for a post that is gone stays readable, with the reason', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    let isGone = false
    const { user, thread } = await open({
      posts: ({ query }) => (query.get('id') && !isGone ? [post(1, { comment_count: 1 })] : []),
      comments: ({ method }) => (method === 'POST' ? postIsGone() : [comment(1)]),
    })
    await user.type(thread.getByLabelText(/^Write a comment/), 'Agreed')
    await user.click(thread.getByRole('button', { name: 'Comment' }))
    expect(await thread.findByText('Waiting for the network', { selector: 'span' })).toBeInTheDocument()
    isGone = true
    onLine.mockReturnValue(true)
    window.dispatchEvent(new Event('online'))
    await screen.findAllByText('Not sent: This post was deleted.')
    await user.click(screen.getByRole('link', { name: 'Back to the feed' }))
    await user.click(screen.getByRole('link', { name: 'See it' }))
    expect(await screen.findByRole('heading', { name: 'Post not found' })).toBeInTheDocument()
    expect(screen.getByText('Not sent: This post was deleted.')).toBeInTheDocument()
    expect(screen.getByText('Agreed')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: /^Discard/ }))
    await waitFor(() => expect(screen.queryByText('Agreed')).not.toBeInTheDocument())
  })

  it('the newest fifty load first, older ones on request, by cursor', async () => {
    let broken = true
    const many = Array.from({ length: 50 }, (_, i) => comment(0, { id: id(i + 40), content: `Comment ${51 - i}` }))
    const { log, user } = await open({
      comments: ({ query }) => {
        if (!query.get('or')) return [...many.slice(0, 49), { ...many[49], content: 'Comment 1' }]
        return broken ? fails(400)() : [comment(0, { id: id(10), content: 'The very first' })]
      },
    })
    const older = screen.getByText('Show older comments') // by text: roles of fifty comments take seconds to compute
    await user.click(older)
    expect(await screen.findByText('The comments could not be loaded')).toBeInTheDocument()
    expect(screen.getByText('Comment 51')).toBeInTheDocument()
    broken = false
    await user.click(older)
    const first = await screen.findByText('The very first')
    expect(first.compareDocumentPosition(screen.getByText('Comment 1'))).toBe(Node.DOCUMENT_POSITION_FOLLOWING)
    expect(older).not.toBeInTheDocument()
    await waitFor(() => expect(document.activeElement).toHaveAttribute('aria-label', 'Comments'))
    expect(requestsTo(log, 'GET', 'comments').at(-1)?.query.get('or')).toBe(
      `(created_at.lt."2026-01-05T12:00:00Z",and(created_at.eq."2026-01-05T12:00:00Z",id.lt.${id(89)}))`,
    )
  })

  it('a draft is restored when the thread is opened again', async () => {
    const { user, thread } = await open()
    await user.type(thread.getByLabelText('Write a comment. Type @ to mention someone.'), 'Half a')
    await user.click(screen.getByRole('button', { name: 'Comments, 1' }))
    await user.click(screen.getByRole('button', { name: 'Comments, 1' }))
    expect(await screen.findByLabelText('Write a comment. Type @ to mention someone.')).toHaveValue('Half a')
  })

  it('§3.17 a member first named in an edit is mentioned then, once', async () => {
    const { log, user, thread } = await open({ 'PATCH comments': [{ id: comment(1).id }], 'POST mentions': [] })
    await user.click(thread.getByRole('button', { name: 'Edit' }))
    const text = thread.getByLabelText('Edit')
    await user.type(text, ' @Ben')
    await screen.findByRole('option', { name: /Ben Adeyemi/ })
    await user.keyboard('{Enter}')
    expect(text).toHaveValue('Comment 1 @Ben Adeyemi ')
    await user.click(thread.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(requestsTo(log, 'POST', 'mentions')).toHaveLength(1))
    expect(requestsTo(log, 'POST', 'mentions')[0]?.body).toMatchObject([
      { mentioned_user_id: ben, comment_id: comment(1).id },
    ])
    expect(requestsTo(log, 'PATCH', 'comments')[0]?.body).toEqual({ content: 'Comment 1 @Ben Adeyemi' })
  })

  it('pointerdown may start a scroll and selects nobody; pointerup does; the text area keeps the focus', async () => {
    const { log, user, thread } = await open()
    const text = thread.getByLabelText('Write a comment. Type @ to mention someone.')
    await user.type(text, 'Ask @Be')
    const option = await screen.findByRole('option', { name: /Ben Adeyemi/ })
    fireEvent.pointerDown(option)
    expect(text).toHaveValue('Ask @Be')
    fireEvent.pointerUp(option)
    expect(text).toHaveValue('Ask @Ben Adeyemi ')
    expect(screen.queryByRole('option')).not.toBeInTheDocument()
    expect(requestsTo(log, 'POST', 'rpc/search_profiles')).toHaveLength(1) // requested when typing pauses, not for each key
  })

  it('a comment on a deleted post shows an error, and stays in the form', async () => {
    const { user, thread } = await open({
      'POST comments': () =>
        Response.json({ message: 'new row violates row-level security', code: '42501' }, { status: 403 }),
    })
    const text = thread.getByLabelText('Write a comment. Type @ to mention someone.')
    await user.type(text, 'Late')
    await user.click(thread.getByRole('button', { name: 'Comment' }))
    expect(await screen.findByText('This post was deleted.')).toBeInTheDocument()
    expect(text).toHaveValue('Late')
  })
})

describe('a profile', () => {
  it('an address without a valid id is not requested, and links to people', async () => {
    const log = memberBackend()
    renderApp('/profile/nonsense')
    expect(await screen.findByText('This profile is not available')).toBeInTheDocument()
    expect(within(screen.getByRole('main')).getByRole('link', { name: 'Find people' })).toHaveAttribute(
      'href',
      '/network',
    )
    expect(log.filter(({ query }) => query.toString().includes('nonsense'))).toEqual([])
    expect(screen.queryByRole('link', { name: 'Message' })).not.toBeInTheDocument()
  })
})
