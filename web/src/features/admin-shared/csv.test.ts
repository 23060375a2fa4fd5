import { describe, expect, it } from 'vitest'
import { csvCell, toCsv } from './csv'

describe('CSV', () => {
  it.each([
    ['plain', '"plain"'],
    ['a "b", c', '"a ""b"", c"'],
    ['=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['  =1', `"'  =1"`],
    ['\t=1', `"'\t=1"`],
    ['\rtext', `"'\rtext"`],
    ['＝1', `"'＝1"`],
    ['a=1', '"a=1"'],
    [null, '""'],
  ])('%j is no formula', (value, want) => expect(csvCell(value)).toBe(want))

  it('has a header row and CRLF', () => expect(toCsv(['a', 'b'], [['1', null]])).toBe('"a","b"\r\n"1",""\r\n'))
})
