import { describe, expect, test } from 'vitest'
import { copy } from './copy'
import { acceptedBy, partsOf, publicPicture, refusalOf, widthFor } from './model'

const megabyte = 1024 * 1024
const [picture, pdf] = ['image/jpeg', 'application/pdf']

describe('§14.5 what is refused before it is sent', () => {
  test.each([
    [{ type: picture, size: 10 * megabyte }, null],
    [{ type: picture, size: 10 * megabyte + 1 }, copy.refused.picture],
    [{ type: pdf, size: 20 * megabyte }, null],
    [{ type: pdf, size: 20 * megabyte + 1 }, copy.refused.file],
    [{ type: '', size: 20 * megabyte + 1 }, copy.refused.file],
    [{ type: 'text/html', size: 5 }, copy.refused.type(true)],
    [{ type: picture, size: 0 }, copy.refused.empty],
  ])('%j in a message: %s', (file, want) => expect(refusalOf(file, 'message-files')).toBe(want))

  test('a PDF where pictures go', () => {
    expect(refusalOf({ type: pdf, size: 5 }, 'post-pictures')).toBe(copy.refused.type(false))
    expect(acceptedBy('post-pictures')).not.toContain(pdf)
  })
})

describe('§14.2 addresses', () => {
  test.each([
    'data:image/png;base64,AAAA',
    'https://x.test/storage/v1/object/public/a/b.jpg',
    '//x.test/a',
    '/a.png',
    '',
  ])('%s is none of storage', (address) => expect(partsOf(address)).toBeNull())

  test('only public ones are loaded without a token, in few widths', () => {
    const secret = '/storage/v1/object/authenticated/post-pictures/u/1.jpg'
    expect(publicPicture(secret, 640)).toBe(secret)
    expect(publicPicture('/storage/v1/object/public/article-covers/u/1.jpg', 640)).toBe(
      '/storage/v1/render/image/public/article-covers/u/1.jpg?width=640&resize=contain',
    )
    expect([widthFor(64), widthFor(500), widthFor(9_000)]).toEqual([96, 640, 2000])
  })
})
