import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { me, memberBackend, profile, requestsTo } from '@/test/member-backend'
import { preloadPages, renderApp } from '@/test/render-app'
import { storeSession, withServer } from '@/test/server'

vi.mock('@/lib/supabase/keep-subscribed', () => ({ keepSubscribed: () => () => {} }))

withServer()
beforeAll(() => preloadPages('network'), 60_000)
beforeEach(() => {
  storeSession()
  vi.spyOn(console, 'error').mockImplementation(() => {})
})

const person = (n: number, more: object = {}) => ({
  id: `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`,
  full_name: `Member ${String(n).padStart(2, '0')}`,
  avatar_url: null,
  department: 'Ames Fire',
  rank: 'Captain',
  firefighter_type: 'Career',
  state: 'IA',
  nearness: 0,
  ...more,
})
const counts = [
  { facet: 'everyone', value: '', label: '', members: 25 },
  { facet: 'state', value: 'IA', label: 'Iowa', members: 20 },
  { facet: 'rank', value: 'captain', label: 'Captain', members: 9 },
  { facet: 'certification', value: 'paramedic', label: 'Paramedic', members: 4 },
]
const people = [
  ...Array.from({ length: 22 }, (_, n) => person(n)),
  person(22, { state: 'IL', nearness: 1 }),
  person(23, { state: null, rank: null, nearness: 2 }),
]

function open(address: string, answers: Parameters<typeof memberBackend>[0] = {}) {
  const log = memberBackend({
    profiles: [profile(me, 'Dana Whitcomb', { state: 'IA' })],
    'rpc/directory': ({ body }) => ((body as { after_id?: string }).after_id ? [person(24, { nearness: 2 })] : people),
    'rpc/directory_counts': counts,
    ...answers,
  })
  renderApp(address)
  return { log, user: userEvent.setup() }
}

describe('finding people', () => {
  it('§11.7 groups them by nearness, and pages follow the last row', async () => {
    const { log, user } = open('/network?tab=people')
    const near = within(await screen.findByRole('region', { name: 'Near you, Iowa' }))
    expect(near.getAllByRole('listitem')).toHaveLength(22)
    expect(screen.getByRole('region', { name: 'Neighboring states' })).toHaveTextContent('Member 22')
    expect(screen.getByRole('region', { name: 'Elsewhere' })).toHaveTextContent('Member 23')
    expect(screen.getByText(', 24 of 25')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Show more' }))
    expect(await screen.findByText('Member 24')).toBeInTheDocument()
    expect(requestsTo(log, 'POST', 'rpc/directory')[1]?.body).toMatchObject({
      after_nearness: 2,
      after_name: 'Member 23',
      after_id: people[23]?.id,
      page_size: 24,
    })
  })

  it('§11.6 filters come from the address, are chosen in the sheet, combined, and taken away one by one', async () => {
    const { log, user } = open('/network?tab=people&state=IA')
    expect(await screen.findByRole('button', { name: 'Remove filter Iowa' })).toBeInTheDocument()
    await user.click(await screen.findByRole('button', { name: 'Filters, 1 chosen' }))
    const sheet = within(await screen.findByRole('dialog', { name: 'Filters' }))
    expect(sheet.getByRole('checkbox', { name: /^Iowa/ })).toBeChecked()
    await user.click(sheet.getByRole('checkbox', { name: /^Captain/ }))
    await user.type(sheet.getByRole('textbox', { name: 'Another current certification' }), 'Rope Technician{Enter}')
    await user.click(sheet.getByRole('button', { name: 'Show 25 people' }))
    const filters = { state: 'IA', rank: 'captain', certification: 'Rope Technician' }
    await waitFor(() => {
      expect(requestsTo(log, 'POST', 'rpc/directory').at(-1)?.body).toMatchObject({ filters })
      expect(requestsTo(log, 'POST', 'rpc/directory_counts').at(-1)?.body).toMatchObject({ filters })
    })
    await user.click(screen.getByRole('button', { name: 'Remove filter Iowa' }))
    await waitFor(() =>
      expect(requestsTo(log, 'POST', 'rpc/directory').at(-1)?.body).toHaveProperty('filters', {
        rank: 'captain',
        certification: 'Rope Technician',
      }),
    )
  })

  it('§11.6 nobody, a failure, and no state of one’s own say what to do', async () => {
    let isBroken = true
    const { user } = open('/network?tab=people&rank=zzz', {
      profiles: [profile(me, 'Dana Whitcomb', { state: null })],
      'rpc/directory': () => (isBroken ? Response.json({ message: 'no' }, { status: 400 }) : []),
      'rpc/directory_counts': [],
    })
    expect(await screen.findByText('Members could not be loaded')).toBeInTheDocument()
    expect(screen.getByText(/members near you come first/)).toBeInTheDocument()
    isBroken = false
    await user.click(screen.getByRole('button', { name: /try again/i }))
    expect(await screen.findByText('No one matches')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Clear the filter' }))
    expect(await screen.findByText('No one here yet')).toBeInTheDocument()
  })
})
