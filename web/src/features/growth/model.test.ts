import { describe, expect, it } from 'vitest'
import { metCount, nextOf, type Requirement, requirementOf } from '@/api/growth/model'
import { moved, stepOf, wordsOf } from './model'

const requirement = (changes: Partial<Requirement> = {}): Requirement => ({
  id: 'a',
  place: 10,
  title: 'EMT',
  detail: '',
  metBy: 'certification',
  state: 'open',
  proof: null,
  proofOn: null,
  isLinked: false,
  ...changes,
})

describe('§16.1 a requirement in words', () => {
  it.each<[string, Partial<Requirement>, string]>([
    ['open', {}, 'A current certification of this name meets it.'],
    ['met until', { state: 'met', proof: 'EMT-B', proofOn: '2027-03-01', isLinked: true }, 'Met by EMT-B, until'],
    ['met for good', { state: 'met', proof: 'EMT-B', isLinked: true }, 'Met by EMT-B'],
    ['ticked', { state: 'met', metBy: 'tick' }, 'Done'],
    ['a training of somebody else', { state: 'met', metBy: 'training', isLinked: true, proofOn: '2026-01-01' }, 'Met'],
    ['to come', { state: 'planned', proof: 'Ladders', proofOn: '2027-01-16' }, 'Ladders, on'],
    ['expired', { state: 'expired', proof: 'EMT', proofOn: '2026-01-01' }, 'No longer met: EMT expired'],
    ['canceled', { state: 'canceled', proof: 'Ladders' }, 'Not met: Ladders was canceled.'],
    ['deleted', { state: 'gone', proof: 'EMT' }, 'No longer met: EMT isn’t on your record anymore.'],
  ])('%s', (_, changes, want) => {
    expect(wordsOf(requirement(changes))).toContain(want)
  })

  it('reads what the database says, and takes what it does not know as open', () => {
    const row = { id: 'a', place: 1, title: 'T', detail: '', proof: null, proof_on: null, is_linked: false }
    expect(requirementOf({ ...row, met_by: 'training', state: 'gone' })).toMatchObject({
      metBy: 'training',
      state: 'gone',
    })
    expect(requirementOf({ ...row, met_by: 'later', state: 'later' })).toMatchObject({ metBy: 'tick', state: 'open' })
  })
})

describe('§16.1 the next step is always named', () => {
  it('is the first that is not met, also when it was', () => {
    const list = [requirement({ state: 'met' }), requirement({ id: 'b', state: 'expired' }), requirement({ id: 'c' })]
    expect(nextOf(list)?.id).toBe('b')
    expect(metCount(list)).toBe(1)
    expect(nextOf([requirement({ state: 'met' })])).toBeNull()
  })

  it.each<[Partial<Requirement>, string, string | null]>([
    [{ state: 'expired', proof: 'EMT' }, 'Renew EMT', '/profile'],
    [{}, 'EMT', '/search?q=EMT&tab=trainings'],
    [{ state: 'planned', metBy: 'training' }, 'EMT', '/trainings?tab=mine'],
    [{ metBy: 'milestone' }, 'EMT', '/profile'],
    [{ metBy: 'tick' }, 'EMT', null],
  ])('%o', (changes, title, to) => {
    const step = stepOf(requirement(changes))
    expect(step.title).toBe(title)
    expect(step.action?.to ?? null).toBe(to)
  })
})

describe('§16.1 the order is one’s own', () => {
  const list = ['a', 'b', 'c'].map((id) => ({ id, place: 1000 }))
  it('moves one past its neighbor, and not past the end', () => {
    expect(moved(list, 'b', -1)).toEqual([
      { id: 'b', place: 10 },
      { id: 'a', place: 20 },
      { id: 'c', place: 30 },
    ])
    const placed = list.map(({ id }, at) => ({ id, place: (at + 1) * 10 }))
    expect(moved(placed, 'b', 1)).toEqual([
      { id: 'c', place: 20 },
      { id: 'b', place: 30 },
    ])
    expect(moved(placed, 'a', -1)).toBeNull()
    expect(moved(placed, 'x', 1)).toBeNull()
  })
})
