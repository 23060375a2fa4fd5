/** /messages : conversations, and the one that is open (`?with=`). */
import { MessagesScreen } from '@/features/messages/components/messages-screen'
import { copy } from '@/features/messages/copy'
import { TieWith } from '@/features/network/components/tie-with'
import { usePageHead } from '@/lib/browser/page-head'

export function Component() {
  usePageHead({ title: copy.title })
  return <MessagesScreen connect={(otherId) => <TieWith otherId={otherId} size="sm" onlyUntied />} />
}
