import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { PictureUpload } from './picture-upload'

const shrink = vi.hoisted(() => vi.fn<(file: File) => Promise<string>>())
vi.mock('@/lib/browser/shrink-image', () => ({ shrinkImage: shrink }))

const strings = { upload: 'Choose', remove: 'Remove', failed: 'Not a picture' }
const small = 'data:image/jpeg;base64,AAAA'
const choose = () =>
  fireEvent.change(screen.getByLabelText('Choose'), { target: { files: [new File(['x'], 'a.png')] } })

describe('a picture from this device', () => {
  test('is scaled down, and kept as a data URL: nothing of another origin is ever shown', async () => {
    shrink.mockResolvedValue(small)
    const onPicture = vi.fn()
    const { rerender } = render(<PictureUpload label="Picture" picture="" onPicture={onPicture} strings={strings} />)
    choose()
    await waitFor(() => expect(onPicture).toHaveBeenCalledWith(small))
    rerender(<PictureUpload label="Picture" picture={small} onPicture={onPicture} strings={strings} />)
    fireEvent.click(screen.getByRole('button', { name: 'Remove' }))
    expect(onPicture).toHaveBeenLastCalledWith('')
  })

  test('that can not be read is said', async () => {
    shrink.mockRejectedValue(new Error('no picture'))
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    render(<PictureUpload label="Picture" picture="" onPicture={vi.fn()} strings={strings} />)
    choose()
    expect(await screen.findByText('Not a picture')).toBeInTheDocument()
  })
})
