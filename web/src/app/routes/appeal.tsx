/** /appeal/{code} : a decision about a member, and the appeal. */
import { useParams } from 'react-router-dom'
import { DocumentHead } from '@/components/document-head'
import { AppealPage } from '@/features/safety/components/appeal-page'
import { copy } from '@/features/safety/copy'

export function Component() {
  const { code = '' } = useParams()
  return (
    <div className="page max-w-[44rem] py-8 md:py-12">
      <DocumentHead title={copy.appeal.title} />
      <AppealPage key={code} code={code} />
    </div>
  )
}
