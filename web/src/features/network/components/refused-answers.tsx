/** Answers that were given without network and refused later: the request may be gone (§17.2). */
import { useUnsentActions } from '@/api/connections/outbox'
import { nameOf } from '@/api/people/model'
import { Card } from '@/components/ui/card'
import { copy } from '../copy'
import { UnsentAction } from './connection-actions'

export function RefusedAnswers() {
  const refused = useUnsentActions().filter(
    ({ state, payload }) => state === 'refused' && ['accept', 'decline'].includes(payload.action),
  )
  if (refused.length === 0) return null
  return (
    <Card className="mb-4 grid grid-cols-1 gap-3 p-4 md:px-5">
      {refused.map((unsent) => (
        <UnsentAction key={unsent.id} unsent={unsent} name={nameOf(unsent.payload.other.profile, copy.hidden)} />
      ))}
    </Card>
  )
}
