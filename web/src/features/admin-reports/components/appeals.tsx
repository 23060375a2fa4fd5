/** The appeals that wait for an answer. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { BusyButton, Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Failed } from '@/components/ui/failed'
import { Field, Textarea } from '@/components/ui/field'
import { adminKeys } from '@/features/admin-shared/api/keys'
import { adminCopy } from '@/features/admin-shared/copy'
import { useAdminAction } from '@/features/admin-shared/use-admin-action'
import { formatDate } from '@/lib/format/dates'
import { answerAppeal } from '../api/mutations'
import { type Appeal, appealsQuery } from '../api/queries'
import { copy } from '../copy'

function AppealCard({ appeal }: { appeal: Appeal }) {
  const [answer, setAnswer] = useState('')
  const answering = useAdminAction({
    mutationFn: (granted: boolean) => answerAppeal(appeal.id, granted, answer.trim()),
    invalidates: adminKeys.reports,
    done: () => copy.answered,
    failed: copy.notAnswered,
  })
  return (
    <Card className="grid grid-cols-1 gap-3 p-4 md:p-5">
      <h3 className="type-card [overflow-wrap:anywhere]">{copy.appealOf(appeal.member_name?.trim() || copy.member)}</h3>
      <p className="text-small [overflow-wrap:anywhere] text-muted">
        {copy.acts[appeal.act] ?? appeal.act}, {formatDate(appeal.decided_at)}: {appeal.reason}
      </p>
      {appeal.excerpt && (
        <figure className="grid grid-cols-1 gap-1">
          <figcaption className="text-small font-semibold">{copy.about}</figcaption>
          <blockquote
            dir="auto"
            className="line-clamp-6 border-l-4 border-line pl-3 text-small [overflow-wrap:anywhere] whitespace-pre-line text-muted"
          >
            {appeal.excerpt}
          </blockquote>
        </figure>
      )}
      <figure className="grid grid-cols-1 gap-1">
        <figcaption className="text-small font-semibold">{copy.words}</figcaption>
        <blockquote
          dir="auto"
          className="rounded-control border border-line bg-sunken p-4 [overflow-wrap:anywhere] whitespace-pre-line"
        >
          {appeal.appeal}
        </blockquote>
      </figure>
      <Field label={copy.answer}>
        {(control) => (
          <Textarea {...control} value={answer} maxLength={800} onChange={(event) => setAnswer(event.target.value)} />
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        <BusyButton
          variant="primary"
          busy={answering.isPending}
          busyLabel={copy.answering}
          disabled={!answer.trim()}
          onClick={() => answering.mutate(true)}
        >
          {copy.grant}
        </BusyButton>
        <Button disabled={!answer.trim() || answering.isPending} onClick={() => answering.mutate(false)}>
          {copy.refuse}
        </Button>
      </div>
    </Card>
  )
}

export function Appeals() {
  const query = useQuery(appealsQuery)
  const appeals = query.data ?? []
  const isMissing = query.isError && !query.data
  if (appeals.length === 0 && !isMissing) return null
  return (
    <section aria-label={copy.appeals} className="mt-8 grid gap-4">
      <h2 className="type-h2">{copy.appeals}</h2>
      {isMissing && (
        <Card>
          <Failed title={adminCopy.failed} onRetry={() => void query.refetch()} />
        </Card>
      )}
      {appeals.map((appeal) => (
        <AppealCard key={appeal.id} appeal={appeal} />
      ))}
    </section>
  )
}
