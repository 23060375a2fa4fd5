import { expect, it } from 'vitest'
import { linkParts } from './links'

it.each([
  ['Sign up: https://a.example/x?y=1.', ['Sign up: ', '<https://a.example/x?y=1>', '.']],
  ['(see http://a.example)', ['(see ', '<http://a.example>', ')']],
  ['https://a.example/b_(c), then', ['<https://a.example/b_(c)>', ', then']],
  ['https://a.example https://b.example', ['<https://a.example>', ' ', '<https://b.example>']],
  ['javascript:alert(1) data:text/html,x //a.example', ['javascript:alert(1) data:text/html,x //a.example']],
  ['<a href="https://a.example">', ['<a href="', '<https://a.example>', '">']],
  ['https://', ['https://']],
  ['', []],
])('%s', (text, want) => {
  const parts = linkParts(text)
  expect(parts.map((part) => (part.href ? `<${part.href}>` : part.text))).toEqual(want)
  expect(parts.map((part) => part.text).join('')).toBe(text)
})

it('reads a hostile text of the longest size at once', () => {
  expect(
    linkParts('https://'.repeat(600) + ')'.repeat(5000))
      .map(({ text }) => text)
      .join(''),
  ).toHaveLength(9800)
})
