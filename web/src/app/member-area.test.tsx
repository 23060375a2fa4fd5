import type { RealtimeChannel } from '@supabase/supabase-js'
import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type * as Limits from '@/config/limits'
import { supabase } from '@/lib/supabase/client'
import { requestsTo, ben, fails, me, memberBackend, profile } from '@/test/member-backend'
import { renderApp } from '@/test/render-app'
import { storeSession, withServer } from '@/test/server'

// A slow machine must not count as a slow connection (the 300 ms threshold is tested with the probe).
vi.mock('@/config/limits', async (original) => {
  const real = await original<typeof Limits>()
  return { ...real, limits: { ...real.limits, probeGoodBelowMs: 5_000 } }
})

// Real row changes are covered by the e2e journeys; here subscriptions connect at once and tests send their events.
vi.mock('@/lib/supabase/keep-subscribed', () => ({
  keepSubscribed: ({ open, onLive }: { open: () => unknown; onLive: () => void }) => {
    open()
    onLive()
    return () => {}
  },
}))

interface Followed {
  channel: string
  event: string
  table: string
  filter: string
  say: (payload: object) => void
}

let followed: Followed[] = []

withServer()
beforeEach(() => {
  followed = []
  vi.spyOn(supabase, 'channel').mockImplementation((channel) => {
    const own = {
      on: (_kind: string, what: Omit<Followed, 'channel' | 'say'>, say: Followed['say']) => {
        followed.push({ channel, ...what, say })
        return own
      },
    }
    return own as unknown as RealtimeChannel
  })
  storeSession()
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

const notificationRow = (n: number, seen = false) => ({
  id: `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`,
  type: 'connection',
  title: `Notification ${n}`,
  content: `Words ${n}`,
  metadata: { user_id: ben, url: '/network' },
  created_at: '2026-01-05T12:00:00Z',
  seen,
})
const notificationRows = (count: number) => Array.from({ length: count }, (_, i) => notificationRow(i + 1))
const banner = () => within(screen.getByRole('banner'))

describe('the layout', () => {
  it('a member who was suspended while the page was open is told so, and can sign out', async () => {
    memberBackend({ profiles: [], 'rpc/sign_in_state': 'suspended' })
    renderApp('/feedback')
    expect(await screen.findByRole('heading', { name: 'Your account is suspended' })).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Sign out' })).toBeEnabled()
    expect(screen.queryByRole('navigation')).not.toBeInTheDocument()
  })

  it('§8.14 a profile that could not be read suspends nobody', async () => {
    memberBackend({ profiles: fails(500) })
    renderApp('/feedback')
    expect(await screen.findByRole('link', { name: 'Muster, home' })).toBeInTheDocument()
    expect(screen.queryByText('Your account is suspended')).not.toBeInTheDocument()
  })

  it('§2.17 the logo leads to the feed; §2.26 §9.8 the bottom bar has five items; §2.21 requests are counted', async () => {
    const requests = [{ id: 'c1' }, { id: 'c2' }, { id: 'c3' }]
    memberBackend({ 'HEAD connections': requests })
    renderApp('/feedback')
    expect(await screen.findByRole('link', { name: 'Muster, home' })).toHaveAttribute('href', '/feed')
    const dock = within(screen.getByRole('navigation', { name: 'Main, mobile' }))
    expect(dock.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/feed',
      '/profile',
      '/network',
      '/messages',
      '/feedback',
    ])
    expect(dock.getAllByRole('link').every((link) => link.querySelector('svg'))).toBe(true)
    expect(await dock.findByRole('link', { name: /Network.*3 requests waiting/ })).toBeInTheDocument()
    const nav = within(screen.getByRole('navigation', { name: 'Main' }))
    expect(nav.getByRole('link', { name: /Network.*3 requests waiting/ })).toBeInTheDocument()
  })

  it('§2.21 no badge without requests', async () => {
    memberBackend()
    renderApp('/feedback')
    const nav = within(await screen.findByRole('navigation', { name: 'Main' }))
    await waitFor(() => expect(nav.getByRole('link', { name: 'Network' })).toBeInTheDocument())
  })

  it('§2.38 the network button shows Connected, §2.40 and what being offline means; §2.26 a strip on mobile', async () => {
    memberBackend()
    renderApp('/feedback')
    const message = "You're offline. Some features may not be available."
    expect(await screen.findByRole('button', { name: 'Network status: Connected' })).toBeInTheDocument()
    expect(document.querySelector('[data-slot="network-strip"]')).toBeNull()
    window.dispatchEvent(new Event('offline'))
    expect(await screen.findByRole('button', { name: `Network status: ${message}` })).toBeInTheDocument()
    expect(document.querySelector('[data-slot="network-strip"]')).toHaveTextContent(message)
    window.dispatchEvent(new Event('online'))
    expect(await screen.findByRole('button', { name: 'Network status: Connected' })).toBeInTheDocument()
  })

  it('§2.39 a slow connection is shown', async () => {
    memberBackend()
    const { server } = await import('@/test/server')
    const { http, HttpResponse } = await import('msw')
    server.use(http.get(`${window.location.origin}/`, () => new HttpResponse(null, { status: 503 })))
    renderApp('/feedback')
    expect(
      await screen.findByRole('button', { name: 'Network status: Poor connection. Some features may be slow.' }),
    ).toBeInTheDocument()
  })

  it('§8.14 a profile that cannot be loaded is logged and counts as null', async () => {
    memberBackend({ profiles: fails(400) })
    renderApp('/feedback')
    expect(await screen.findByRole('heading', { name: 'Feedback', level: 1 })).toBeInTheDocument()
    await waitFor(() =>
      expect(console.error).toHaveBeenCalledWith(expect.stringContaining('The profile could not be loaded')),
    )
    expect(banner().getByText('dana@example.org')).toBeInTheDocument()
  })
})

describe('subscriptions', () => {
  it('§4.39 §7.50 §7.51 §7.52 §7.53 one subscription of each kind, filtered to the member’s own rows', async () => {
    memberBackend()
    renderApp('/feedback')
    await screen.findByRole('heading', { name: 'Feedback', level: 1 })
    expect(followed.map(({ channel, event, filter }) => [channel.split(':')[0], event, filter])).toEqual(
      expect.arrayContaining([
        ['notifications', '*', `user_id=eq.${me}`],
        ['mentions', 'INSERT', `mentioned_user_id=eq.${me}`],
        ['messages', 'INSERT', `recipient_id=eq.${me}`],
        ['messages', 'UPDATE', `recipient_id=eq.${me}`],
        ['connections', '*', `user_id=eq.${me}`],
        ['connections', '*', `connected_user_id=eq.${me}`],
      ]),
    )
    expect(new Set(followed.map(({ channel }) => channel)).size).toBe(4)
    expect(vi.mocked(supabase.channel)).toHaveBeenCalledTimes(4)
  })

  it('§7.28 §8.47 a mention is looked up by its id and raises one toast, which leads to its post', async () => {
    const log = memberBackend({
      mentions: [{ comment_id: 'c1', comment: { post_id: 'p1' }, by: { id: ben, full_name: 'Ben Adeyemi' } }],
    })
    const user = userEvent.setup()
    const router = renderApp('/feedback')
    await screen.findByRole('heading', { name: 'Feedback', level: 1 })
    const mentions = followed.find(({ table }) => table === 'mentions')
    mentions?.say({ new: { id: 'm1' } })
    mentions?.say({ new: { id: 'm1' } })
    expect(await screen.findByText('Ben Adeyemi mentioned you in a comment')).toBeInTheDocument()
    const [request] = requestsTo(log, 'GET', 'mentions')
    expect(request?.query.get('id')).toBe('eq.m1')
    expect(request?.query.get('select')).toMatch(/^comment_id,/)
    expect(requestsTo(log, 'GET', 'mentions')).toHaveLength(1)
    await user.click(screen.getByRole('button', { name: 'See it' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/post/p1'))
  })

  it('§8.47 a member who cannot be named is Someone', async () => {
    memberBackend({ mentions: [] })
    renderApp('/feedback')
    await screen.findByRole('heading', { name: 'Feedback', level: 1 })
    followed.find(({ table }) => table === 'mentions')?.say({ new: { id: 'm2' } })
    expect(await screen.findByText('Someone mentioned you in a comment')).toBeInTheDocument()
  })
})

describe('an admin notification', () => {
  const long = `${'🚒'.repeat(100)}tail`
  const arrive = async (row: object, settings: object = {}) => {
    memberBackend({ profiles: [profile(me, 'Dana Whitcomb', { notification_settings: settings })] })
    const router = renderApp('/feedback')
    await screen.findByRole('button', { name: /Dana Whitcomb/ })
    const listener = followed.find(({ table }) => table === 'notifications')
    const say = () => listener?.say({ eventType: 'INSERT', new: { ...notificationRow(7), type: 'system', ...row } })
    say()
    say()
    return router
  }

  it('§9.15 also raises one toast with its first 100 characters, which leads to its target', async () => {
    const user = userEvent.setup()
    const router = await arrive({ type: 'admin_feedback', content: long, metadata: { url: '/settings' } })
    expect(await screen.findByText('Notification 7')).toBeInTheDocument()
    expect(screen.getByText(`${'🚒'.repeat(100)}…`)).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'See it' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/settings'))
  })

  it('§9.15 raises a toast in the admin area, too', async () => {
    memberBackend({ 'rpc/is_admin': true })
    const router = renderApp('/admin/feedback')
    await screen.findByRole('complementary', { name: 'Admin sidebar' })
    const row = {
      ...notificationRow(7),
      type: 'admin_feedback',
      content: 'New words',
      metadata: { url: '/notifications' },
    }
    followed.find(({ table }) => table === 'notifications')?.say({ eventType: 'INSERT', new: row })
    expect(await screen.findByText('New words')).toBeInTheDocument()
    await userEvent.setup().click(screen.getByRole('button', { name: 'See it' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/notifications'))
  })

  it.each([
    ['what members do', { type: 'message' }, {}],
    ['a muted kind', {}, { globalMute: false, preferences: { system: { muted: true } } }],
    ['everything muted', {}, { globalMute: true, preferences: {} }],
  ])('%s raises no toast', async (_name, row, settings) => {
    await arrive(row, settings)
    await new Promise((resolve) => window.setTimeout(resolve, 50))
    expect(screen.queryByText('Notification 7')).not.toBeInTheDocument()
  })
})

describe('unread messages', () => {
  const ids = Array.from({ length: 200 }, (_, i) => ({ id: `m${i}`, sender_id: ben }))
  const waiting = (total: number, rows: object[]) =>
    new Response(JSON.stringify(rows), {
      headers: { 'Content-Type': 'application/json', 'Content-Range': `0-${rows.length - 1}/${total}` },
    })
  const message = (id: string, more: object = {}) => ({
    id,
    sender_id: ben,
    recipient_id: me,
    content: 'Hello',
    read: false,
    created_at: '2026-01-05T12:00:00Z',
    ...more,
  })
  const findUnread = (count: string) =>
    within(screen.getByRole('navigation', { name: 'Main' })).findByRole('link', {
      name: new RegExp(`^Messages ?${count} unread messages$`),
    })

  it('are counted by the database, whatever their number, and updated live', async () => {
    let total = 10_000
    const log = memberBackend({ 'GET messages': () => waiting(total, ids) })
    renderApp('/feedback')
    await screen.findByRole('heading', { name: 'Feedback', level: 1 })
    expect(await findUnread('10,000')).toBeInTheDocument()
    expect(requestsTo(log, 'GET', 'messages')[0]?.query.get('limit')).toBe('200')
    const [arrived, changed] = followed.filter(({ table }) => table === 'messages')
    arrived?.say({ new: message('new') })
    arrived?.say({ new: message('new') })
    expect(await findUnread('10,001')).toBeInTheDocument()
    changed?.say({ new: message('m7', { read: true }) })
    expect(await findUnread('10,000')).toBeInTheDocument()
    expect(requestsTo(log, 'GET', 'messages')).toHaveLength(1)
    // Read elsewhere, and not one of the listed ones: the count is refetched, once for many.
    total = 9_500
    changed?.say({ new: message('far1', { read: true }) })
    changed?.say({ new: message('far2', { read: true }) })
    expect(await findUnread('9,500')).toBeInTheDocument()
    expect(requestsTo(log, 'GET', 'messages')).toHaveLength(2)
  })

  it('§4.21 an open conversation marks its own as read, even when they are not among the listed ones', async () => {
    let total = 10_000
    const others = ids.map((row) => ({ ...row, sender_id: me.replace(/1$/, '9') }))
    const log = memberBackend({
      'GET messages': ({ query }) => (query.get('read') ? waiting(total, others) : [message('far1'), message('far2')]),
      'PATCH messages': () => {
        total = 9_998
        return []
      },
    })
    renderApp(`/messages?with=${ben}`)
    await screen.findByRole('navigation', { name: 'Main' })
    expect(await findUnread('9,998')).toBeInTheDocument()
    const patches = requestsTo(log, 'PATCH', 'messages')
    expect(patches).toHaveLength(1)
    expect(patches[0]?.query.get('sender_id')).toBe(`eq.${ben}`)
  })
})

describe('the bell', () => {
  const open = async () => {
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: /^Notifications, \d+ unread$/ }))
    return { user, box: within(await screen.findByRole('dialog', { name: 'Notifications' })) }
  }

  it('§2.30 title, §2.31 §9.2 five items, §2.32 how many more, §2.34 §2.35 two links', async () => {
    const log = memberBackend({
      notifications: ({ query }) =>
        new Response(JSON.stringify(notificationRows(Number(query.get('limit') ?? 8))), {
          headers: { 'Content-Type': 'application/json', 'Content-Range': '0-4/8' },
        }),
    })
    renderApp('/feedback')
    const { box } = await open()
    expect(box.getByRole('heading', { name: 'Notifications' })).toBeInTheDocument()
    expect(box.getAllByRole('listitem')).toHaveLength(5)
    expect(box.getByRole('link', { name: 'View 3 more notifications' })).toHaveAttribute('href', '/notifications')
    expect(box.getByRole('link', { name: 'View all notifications' })).toHaveAttribute('href', '/notifications')
    expect(box.getByRole('link', { name: 'Notification settings' })).toHaveAttribute('href', '/settings/notifications')
    expect(requestsTo(log, 'GET', 'notifications')[0]?.query.get('limit')).toBe('5')
  })

  it('§4.25 opening marks all as read and shows how many; §7.16 by user where seen is false', async () => {
    const log = memberBackend({ notifications: notificationRows(2), 'PATCH notifications': [] })
    renderApp('/feedback')
    const { box } = await open()
    expect(await screen.findByText('Marked 2 notifications as read')).toBeInTheDocument()
    expect(box.queryByText(/View \d+ more/)).not.toBeInTheDocument()
    const [patch] = requestsTo(log, 'PATCH', 'notifications')
    expect(patch?.body).toEqual({ seen: true })
    expect([patch?.query.get('user_id'), patch?.query.get('seen')]).toEqual([`eq.${me}`, 'eq.false'])
  })

  it('§4.25 nothing is marked when nothing is unread; §2.33 the empty state shows', async () => {
    const log = memberBackend()
    renderApp('/feedback')
    const user = userEvent.setup()
    await user.click(await screen.findByRole('button', { name: 'Notifications' }))
    expect(await screen.findByText('No new notifications')).toBeInTheDocument()
    expect(requestsTo(log, 'PATCH', 'notifications')).toEqual([])
  })

  it('shows the loading state before the empty state', async () => {
    let answer: () => void = () => undefined
    const held = new Promise<void>((resolve) => (answer = resolve))
    memberBackend({ notifications: () => held.then(() => []) })
    renderApp('/feedback')
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Notifications' }))
    expect(await screen.findByText('Loading notifications…')).toBeInTheDocument()
    expect(screen.queryByText('No new notifications')).not.toBeInTheDocument()
    answer()
    expect(await screen.findByText('No new notifications')).toBeInTheDocument()
  })

  it('§8.17 a failure to mark all shows a toast, and the count comes back', async () => {
    memberBackend({ notifications: notificationRows(2), 'PATCH notifications': fails() })
    renderApp('/feedback')
    await open()
    expect(await screen.findByText('Error clearing notifications')).toBeInTheDocument()
    expect(await screen.findByRole('button', { name: 'Notifications, 2 unread' })).toBeInTheDocument()
  })
})

describe('the list of notifications', () => {
  it('§7.15 §9.1 by user, newest first, twenty at a time; §8.17 a page that fails shows an error', async () => {
    const log = memberBackend({
      notifications: ({ query }) => {
        if (query.get('seen')) return []
        return query.get('or') ? fails()() : Array.from({ length: 20 }, (_, i) => notificationRow(i + 1, true))
      },
    })
    const user = userEvent.setup()
    renderApp('/notifications')
    await user.click(await screen.findByRole('button', { name: 'Load more' }))
    expect(await screen.findByText('Failed to load more notifications')).toBeInTheDocument()
    const [first] = requestsTo(log, 'GET', 'notifications').filter(({ query }) => !query.get('seen'))
    // Fetched once: the list waited for the subscription.
    const firsts = requestsTo(log, 'GET', 'notifications').filter(({ query }) => !query.get('seen') && !query.get('or'))
    expect(firsts).toHaveLength(1)
    expect([first?.query.get('user_id'), first?.query.get('order'), first?.query.get('limit')]).toEqual([
      `eq.${me}`,
      'created_at.desc,id.desc',
      '20',
    ])
  })

  it('§8.17 a list that cannot be loaded shows an error, and can be retried', async () => {
    let broken = true
    memberBackend({
      notifications: ({ query }) => (query.get('seen') ? [] : broken ? fails(400)() : [notificationRow(1)]),
    })
    const user = userEvent.setup()
    renderApp('/notifications')
    expect(await screen.findByText('Failed to load notifications')).toBeInTheDocument()
    broken = false
    await user.click(screen.getByRole('button', { name: /again/i }))
    expect(await screen.findByText('Notification 1')).toBeInTheDocument()
  })

  it('§7.16 one is marked by its id; §8.17 a failure is only logged and rolled back', async () => {
    const log = memberBackend({
      notifications: ({ query }) => (query.get('seen') ? [] : [notificationRow(1)]),
      'PATCH notifications': fails(),
    })
    const user = userEvent.setup()
    renderApp('/notifications')
    await user.click(await screen.findByRole('button', { name: 'Actions: Notification 1' }))
    await user.click(await screen.findByRole('menuitem', { name: 'Mark as read' }))
    await waitFor(() =>
      expect(console.error).toHaveBeenCalledWith(expect.stringContaining('could not be marked as read')),
    )
    await waitFor(() => expect(document.querySelector('[data-seen=false]')).toBeInTheDocument())
    expect(requestsTo(log, 'PATCH', 'notifications')[0]?.query.get('id')).toBe(`in.(${notificationRow(1).id})`)
  })
})

describe('the settings', () => {
  it('§7.4 §7.5 §8.39 a switch is saved on the member’s own row', async () => {
    const log = memberBackend({
      'PATCH profiles': ({ body }) => [{ ...profile(me, 'Dana Whitcomb'), ...(body as object) }],
    })
    const user = userEvent.setup()
    renderApp('/settings/notifications')
    await user.click(await screen.findByRole('switch', { name: 'Mute everything' }))
    expect(await screen.findByText('Notification settings saved successfully')).toBeInTheDocument()
    expect(screen.getAllByText('Success')[0]).toBeInTheDocument()
    const [patch] = requestsTo(log, 'PATCH', 'profiles')
    expect(patch?.query.get('id')).toBe(`eq.${me}`)
    expect(patch?.body).toEqual({ notification_settings: expect.objectContaining({ globalMute: true }) as unknown })
    expect(requestsTo(log, 'GET', 'profiles')[0]?.query.get('id')).toBe(`eq.${me}`)
  })

  it('§8.20 a failure shows a toast and the switch goes back', async () => {
    memberBackend({ 'PATCH profiles': fails() })
    const user = userEvent.setup()
    renderApp('/settings/notifications')
    const mute = await screen.findByRole('switch', { name: 'Mute everything' })
    await user.click(mute)
    expect(await screen.findByText('Failed to save notification settings')).toBeInTheDocument()
    expect(screen.getAllByText('Error')[0]).toBeInTheDocument()
    await waitFor(() => expect(mute).not.toBeChecked())
  })

  it('§1.8 §7.6 privacy is saved on the member’s own row', async () => {
    const log = memberBackend({
      'PATCH profiles': ({ body }) => [{ ...profile(me, 'Dana Whitcomb'), ...(body as object) }],
    })
    const user = userEvent.setup()
    renderApp('/settings')
    await user.selectOptions(await screen.findByLabelText('Who sees your profile'), 'private')
    expect(await screen.findByText('Privacy settings saved.')).toBeInTheDocument()
    await user.click(screen.getByRole('switch', { name: 'Let anyone message you' }))
    await waitFor(() => expect(requestsTo(log, 'PATCH', 'profiles')).toHaveLength(2))
    expect(
      requestsTo(log, 'PATCH', 'profiles').map(({ body }) => (body as { privacy_settings: object }).privacy_settings),
    ).toEqual([
      expect.objectContaining({ profile_visibility: 'private', allow_messages_from_anyone: true }),
      expect.objectContaining({ profile_visibility: 'private', allow_messages_from_anyone: false }),
    ])
  })

  it.each(['/settings', '/settings/notifications', '/settings/mentions'])(
    '%s never saves defaults over settings that could not be read',
    async (path) => {
      let broken = true
      memberBackend({ profiles: () => (broken ? fails(400)() : [profile(me, 'Dana Whitcomb')]) })
      const user = userEvent.setup()
      renderApp(path)
      const [again] = await screen.findAllByRole('button', { name: /try again/i })
      expect(screen.queryByRole('switch')).not.toBeInTheDocument()
      broken = false
      await user.click(again as HTMLElement)
      expect((await screen.findAllByRole('switch')).length).toBeGreaterThan(0)
    },
  )
})
