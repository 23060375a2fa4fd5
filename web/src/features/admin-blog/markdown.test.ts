import { expect, it } from 'vitest'
import { type Mark, markSelection } from './markdown'

/** The text with | at both ends of the selection. */
function marked(written: string, mark: Mark): string {
  const from = written.indexOf('|')
  const to = written.lastIndexOf('|') - 1
  const text = written.replaceAll('|', '')
  const { from: start, to: end, by, select } = markSelection({ text, from, to }, mark)
  const after = text.slice(0, start) + by + text.slice(end)
  return `${after.slice(0, select[0])}|${after.slice(...select)}|${after.slice(select[1])}`
}

it.each<[string, Mark, string]>([
  ['a |word| b', 'bold', 'a **|word|** b'],
  ['a **|word|** b', 'bold', 'a |word| b'],
  ['||', 'italic', '_||_'],
  ['one\ntw|o\nthre|e', 'list', 'one\n- two\n- thre||e'],
  ['- on|e|', 'list', 'one||'],
  ['|title|', 'heading', '## title||'],
  ['see |here|', 'link', 'see [here](|https://|)'],
  ['see ||', 'link', 'see [||](https://)'],
])('%s, %s: %s', (written, mark, want) => {
  expect(marked(written, mark)).toBe(want)
})
