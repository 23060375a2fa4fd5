/** The quiz answers of a waitlist entry, and its invitation. */
import { BusyButton } from '@/components/ui/button'
import { Dialog, DialogContent } from '@/components/ui/dialog'
import { adminCopy } from '@/features/admin-shared/copy'
import type { WaitlistEntry } from '../api/queries'
import { copy } from '../copy'
import { parseQuizAnswers } from '../model'

interface Props {
  entry: WaitlistEntry
  inviting: boolean
  onInvite: () => void
  onClose: () => void
}

export function QuizAnswers({ entry, inviting, onInvite, onClose }: Props) {
  const answers = parseQuizAnswers(entry.linkedin_missing)
  const kind = adminCopy.types[entry.firefighter_type] ?? entry.firefighter_type
  const rows = (
    [
      [copy.type, [kind, entry.firefighter_type_other].filter(Boolean).join(': ')],
      [copy.role, entry.current_rank],
      [copy.years, copy.yearsOfService[entry.years_of_service] ?? entry.years_of_service],
      [
        copy.platforms,
        [...answers.platforms.map((one) => adminCopy.platforms[one] ?? one), answers.platformOther]
          .filter(Boolean)
          .join(', '),
      ],
      [copy.frustrations, answers.frustrations],
      [copy.wishlist, answers.wishlist],
    ] as const
  ).filter(([, answer]) => answer)
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={entry.email} description={copy.answers} wide>
        {rows.length === 0 ? (
          <p>{copy.noAnswers}</p>
        ) : (
          <dl className="grid gap-4">
            {rows.map(([question, answer]) => (
              <div key={question}>
                <dt className="text-small font-semibold text-muted">{question}</dt>
                <dd className="[overflow-wrap:anywhere] whitespace-pre-line">{answer}</dd>
              </div>
            ))}
          </dl>
        )}
        {entry.status !== 'active' && (
          <div className="mt-6 flex justify-end">
            <BusyButton variant="primary" busy={inviting} busyLabel={copy.inviting} onClick={onInvite}>
              {entry.status === 'invited' ? copy.again : copy.inviteOne}
            </BusyButton>
          </div>
        )}
      </DialogContent>
    </Dialog>
  )
}
