/** The cover of an article: the only picture that visitors and crawlers read, too. */
import { useEffect } from 'react'
import { FilePicker } from '@/components/files/file-picker'
import { fileAt } from '@/lib/files/model'
import { useUploads } from '@/lib/files/use-uploads'
import { copy } from '../copy'

interface Props {
  /** The address when the form was opened. */
  image: string
  onImage: (image: string) => void
  onBusy: (busy: boolean) => void
}

export function CoverField({ image, onImage, onBusy }: Props) {
  const uploads = useUploads({
    bucket: 'article-covers',
    most: 1,
    initial: image ? [fileAt(image)] : [],
    onFiles: ([file]) => onImage(file?.address ?? ''),
  })
  const { busy } = uploads
  useEffect(() => onBusy(busy), [busy, onBusy])
  return <FilePicker label={copy.fields.image} hint={copy.imageHint} uploads={uploads} />
}
