/** Settings, Security: applications that the member let in, and the end of that (§15.6). */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Blocks } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Confirm } from '@/components/ui/confirm'
import { Failed } from '@/components/ui/failed'
import { logError } from '@/lib/browser/log'
import { formatDate } from '@/lib/format/dates'
import { showToast } from '@/lib/toasts/toast'
import { type Grant, grantsQuery, revokeGrant } from '../api/applications'
import { securityKeys } from '../api/keys'
import { scopeWords, shownName } from '../applications'
import { applicationsCopy } from '../applications-copy'
import { SecurityRow, SecuritySection } from './security-section'

const copy = applicationsCopy.list

export function ApplicationsSection() {
  const queryClient = useQueryClient()
  const heading = useRef<HTMLHeadingElement>(null)
  const grants = useQuery(grantsQuery)
  const ending = useMutation({
    mutationFn: ({ clientId }: Grant) => revokeGrant(clientId),
    onSuccess: (_, { name }) => {
      showToast({ title: copy.ended(shownName(name)) })
      heading.current?.focus() // the row's button goes with the row
      return queryClient.invalidateQueries({ queryKey: securityKeys.grants })
    },
    onError: (cause) => {
      logError('The application could not be disconnected', cause)
      showToast(copy.failed)
    },
  })
  // It comes last on the page: nothing below moves when it appears.
  if (grants.isPending || grants.data === null) return null
  return (
    <SecuritySection heading={heading} title={copy.title} lead={copy.lead}>
      {grants.isError && <Failed title={copy.loadFailed} onRetry={() => void grants.refetch()} />}
      {grants.data?.length === 0 && <p className="text-ui text-muted">{copy.none}</p>}
      <ul className="divide-y divide-line">
        {grants.data?.map((grant) => {
          const name = shownName(grant.name)
          return (
            <SecurityRow
              key={grant.clientId}
              glyph={<Blocks />}
              name={<bdi>{name}</bdi>}
              note={copy.may(scopeWords(grant.scopes, copy.scopes), formatDate(grant.grantedAt))}
            >
              <Confirm
                title={copy.endTitle(name)}
                description={copy.endText}
                action={copy.end}
                onConfirm={() => ending.mutate(grant)}
              >
                <Button size="sm" variant="quiet" aria-label={copy.endOf(name)}>
                  {copy.end}
                </Button>
              </Confirm>
            </SecurityRow>
          )
        })}
      </ul>
    </SecuritySection>
  )
}
