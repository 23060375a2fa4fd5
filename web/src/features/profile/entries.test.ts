import { describe, expect, test } from 'vitest'
import { issuesOf } from '@/test/issues-of'
import { copy } from './copy'
import { type ListSpec, specs, toValues } from './entries'
import { entrySchema } from './entry-schema'

const { required, link, order } = copy.entries
const check = (spec: ListSpec, typed: Record<string, string>) =>
  issuesOf(entrySchema(spec), { ...toValues(spec.fields, undefined), ...typed })

describe('the lists of a profile', () => {
  test('required fields are checked', () => {
    expect(check(specs.certifications, { name: ' ' })).toEqual({ name: required })
    expect(check(specs.career_milestones, { title: 'Captain', started_on: '' })).toEqual({
      started_on: required,
    })
  })

  test('an end must not be before its start', () => {
    const values = { name: 'EMT', issued_on: '2026-01-02', expires_on: '2026-01-01' }
    expect(check(specs.certifications, values)).toEqual({ expires_on: order })
  })

  test('a link must be an http(s) URL', () => {
    expect(check(specs.projects, { title: 'x', link: 'javascript:alert(1)' })).toEqual({ link })
    expect(check(specs.projects, { title: 'x', link: 'https://x.example' })).toEqual({})
  })

  test('converting between a row and its form is lossless', () => {
    const row = { title: 'Captain', organization: null, started_on: '2020-01-01', is_current: true, description: null }
    const { fields } = specs.career_milestones
    expect(entrySchema(specs.career_milestones).parse(toValues(fields, row))).toEqual(row)
  })
})
