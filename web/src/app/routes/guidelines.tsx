/** /guidelines */
import { DocumentHead } from '@/components/document-head'
import { GuidelinesPage } from '@/features/safety/components/guidelines-page'
import { copy } from '@/features/safety/copy'

export function Component() {
  return (
    <div className="page max-w-[44rem] py-8 md:py-12">
      <DocumentHead title={copy.guidelines.title} description={copy.guidelines.lead} />
      <GuidelinesPage />
    </div>
  )
}
