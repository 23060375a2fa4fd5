/** /undo : where a security mail leads whoever did not do what it tells of. */
import { DocumentHead } from '@/components/document-head'
import { UndoPage } from '@/features/auth/components/undo-page'
import { undoCopy } from '@/features/auth/undo-copy'

export function Component() {
  return (
    <>
      <DocumentHead title={undoCopy.title} />
      <UndoPage />
    </>
  )
}
