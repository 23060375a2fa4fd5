import { describe, expect, test } from 'vitest'
import { matchesTerm, nameOf, reasonFor, searchTerm, unitOf } from './model'

const ada = { full_name: 'Ada Fontaine', email: 'ada@duluth.example' }

describe('§5.18 the fallback of the people search', () => {
  test.each([
    ['fon', true],
    ['FONTAINE', true],
    ['xx ada', true],
    ['duluth.ex', true],
    ['x a', false],
    ['bea', false],
  ])('%s finds Ada: %s', (term, want) => {
    expect(matchesTerm(ada, term)).toBe(want)
  })

  test('a profile without name or e-mail never matches', () => {
    expect(matchesTerm({ full_name: null, email: null }, 'ada')).toBe(false)
  })
})

test('§5.14 the term is trimmed before its length is checked', () => {
  expect(searchTerm('  a  ')).toBe('a')
  expect(searchTerm(' jo   tran ')).toBe('jo tran')
})

test('§3.19 a member whose profile is hidden is called User', () => {
  expect(nameOf(null)).toBe('User')
  expect(nameOf({ full_name: '  ' }, 'Anonymous')).toBe('Anonymous')
  expect(nameOf(ada)).toBe('Ada Fontaine')
})

test('the unit line shows what is available', () => {
  expect(unitOf({ position: 'Captain', department: null })).toBe('Captain')
  expect(unitOf({ position: 'Captain', department: 'Engine 41' })).toBe('Captain · Engine 41')
  expect(unitOf(null)).toBe('')
})

describe('§11.6 what one has in common', () => {
  test.each([
    [3, 'Engine 7', false, '3 connections in common'],
    [1, 'Engine 7', false, '1 connection in common'],
    [3, 'Engine 7', true, '3 in common'],
    [0, ' engine 7', false, 'Same department'],
    [0, 'Engine 9', false, null],
    [0, '', false, null],
  ])('%d shared, %j', (shared, department, brief, want) =>
    expect(reasonFor({ department }, shared, 'Engine 7', brief)).toBe(want),
  )

  test('two members without a department share none', () => expect(reasonFor({ department: null }, 0, null)).toBeNull())
})
