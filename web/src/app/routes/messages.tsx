/** /messages : conversations, and the one that is open (`?with=`). */
import { MessagesScreen } from '@/features/messages/components/messages-screen'
import { copy } from '@/features/messages/copy'
import { TieWith } from '@/features/network/components/tie-with'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title={copy.title} />
      <MessagesScreen connect={(otherId) => <TieWith otherId={otherId} size="sm" onlyUntied />} />
    </>
  )
}
