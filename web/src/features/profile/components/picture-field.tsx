/** The photo, cropped to a square before it is uploaded, and the cover. */
import { lazy, Suspense, useState } from 'react'
import { FilePicker } from '@/components/files/file-picker'
import type { Uploads } from '@/lib/files/use-uploads'
import { copy } from '../copy'

const CropDialog = lazy(() => import('@/components/files/crop-dialog'))

export function PhotoField({ uploads }: { uploads: Uploads }) {
  const [cropping, setCropping] = useState<File | null>(null)
  return (
    <>
      <FilePicker
        label={copy.form.picture}
        hint={copy.form.pictureHint}
        uploads={uploads}
        onChosen={([file]) => setCropping(file ?? null)}
      />
      {cropping && (
        <Suspense>
          <CropDialog
            file={cropping}
            onClose={() => setCropping(null)}
            onDone={(file) => {
              setCropping(null)
              uploads.add([file])
            }}
          />
        </Suspense>
      )}
    </>
  )
}

export const CoverField = ({ uploads }: { uploads: Uploads }) => (
  <FilePicker label={copy.form.cover} uploads={uploads} />
)
