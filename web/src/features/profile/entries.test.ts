import { describe, expect, test } from 'vitest'
import { checkEntry, specs, toRow, toValues } from './entries'

const words = { required: 'required', link: 'link', picture: 'picture', order: 'order' }

describe('the lists of a profile', () => {
  test('what is required is asked for', () => {
    expect(checkEntry(specs.certifications, { name: ' ' }, words)).toEqual({ name: 'required' })
    expect(checkEntry(specs.career_milestones, { title: 'Captain', started_on: '' }, words)).toEqual({
      started_on: 'required',
    })
  })

  test('an end is not before its start', () => {
    const values = { name: 'EMT', issued_on: '2026-01-02', expires_on: '2026-01-01' }
    expect(checkEntry(specs.certifications, values, words)).toEqual({ expires_on: 'order' })
  })

  test('a link is of the web', () => {
    expect(checkEntry(specs.projects, { title: 'x', link: 'javascript:alert(1)' }, words)).toEqual({ link: 'link' })
    expect(checkEntry(specs.projects, { title: 'x', link: 'https://x.example' }, words)).toEqual({})
  })

  test('a picture comes over https, as the policy of the page asks', () => {
    const check = (featured_image: string) => checkEntry(specs.projects, { title: 'x', featured_image }, words)
    expect(check('http://x.example/a.png')).toEqual({ featured_image: 'picture' })
    expect(check('https://x.example/a.png')).toEqual({})
  })

  test('a row and the form are the same thing', () => {
    const row = { title: 'Captain', organization: null, started_on: '2020-01-01', is_current: true, description: null }
    expect(toRow(specs.career_milestones, toValues(specs.career_milestones, row))).toEqual(row)
  })
})
