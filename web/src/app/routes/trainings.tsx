/** /trainings : coming trainings by month, one's own, past ones. */
import { DocumentHead } from '@/components/document-head'
import { TrainingsPage } from '@/features/trainings/components/trainings-page'
import { copy } from '@/features/trainings/copy'

export function Component() {
  return (
    <>
      <DocumentHead title={copy.title} />
      <TrainingsPage />
    </>
  )
}
