/** What someone answered in the waitlist quiz. */
import { Dialog, DialogContent } from '@/components/ui/dialog'
import type { WaitlistEntry } from '../api/queries'
import { copy } from '../copy'
import { parseQuizAnswers } from '../model'

const words = copy.waitlist

export function QuizAnswers({ entry, onClose }: { entry: WaitlistEntry; onClose: () => void }) {
  const answers = parseQuizAnswers(entry.linkedin_missing)
  const kind = copy.types[entry.firefighter_type] ?? entry.firefighter_type
  const rows = (
    [
      [words.type, [kind, entry.firefighter_type_other].filter(Boolean).join(': ')],
      [words.role, entry.current_rank],
      [words.years, copy.years[entry.years_of_service] ?? entry.years_of_service],
      [
        words.platforms,
        [...answers.platforms.map((one) => copy.platforms[one] ?? one), answers.platformOther]
          .filter(Boolean)
          .join(', '),
      ],
      [words.frustrations, answers.frustrations],
      [words.wishlist, answers.wishlist],
    ] as const
  ).filter(([, answer]) => answer)
  return (
    <Dialog open onOpenChange={onClose}>
      <DialogContent title={entry.email} description={words.answers} wide>
        {rows.length === 0 ? (
          <p>{words.noAnswers}</p>
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
      </DialogContent>
    </Dialog>
  )
}
