/** The picture or PDF of a message, in a box whose size does not depend on it. */
import { useQuery } from '@tanstack/react-query'
import { FileLink } from '@/components/files/file-link'
import { Gallery } from '@/components/files/gallery'
import { fileAt, isPdf } from '@/lib/files/model'
import { fileQuery } from '@/lib/files/queries'
import { copy } from '../copy'

export function MessageFile({ address }: { address: string }) {
  const file = useQuery(fileQuery(address)).data ?? fileAt(address)
  if (isPdf(address)) return <FileLink address={address} name={file.name || copy.pdf} />
  return (
    <div className="w-60 max-w-full">
      <Gallery pictures={[file]} />
    </div>
  )
}
