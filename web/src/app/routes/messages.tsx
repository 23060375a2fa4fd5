/** /messages : conversations, and the open one (`?with=`). */
import { MessagesScreen } from '@/features/messages/components/messages-screen'
import { copy } from '@/features/messages/copy'
import { ConnectionWith } from '@/features/network/components/connection-with'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title={copy.title} />
      <MessagesScreen connect={(otherId) => <ConnectionWith otherId={otherId} size="sm" onlyUnconnected />} />
    </>
  )
}
