/** The other member of a mentoring, with what can be done about it. */
import type { ReactNode } from 'react'
import { nameOf, unitOf } from '@/api/people/model'
import { PersonLine } from '@/components/ui/person-line'
import { paths } from '@/config/paths'
import type { Mentoring } from '../model'
import { MentoringMenu } from './mentoring-menu'

/** `children`: below the name, over the whole width. */
export function MentoringPerson({ mentoring, children }: { mentoring: Mentoring; children: ReactNode }) {
  const { other, otherId, state } = mentoring
  const isOpen = state === 'accepted' || state === 'asked'
  return (
    <li data-slot="mentoring" className="grid grid-cols-1 gap-2 py-3 first:pt-0 last:pb-0">
      <div className="flex items-start justify-between gap-2">
        <PersonLine
          memberId={otherId}
          name={nameOf(other)}
          avatarUrl={other?.avatar_url}
          unit={unitOf(other)}
          {...(other && { to: paths.profileOf(otherId) })}
        />
        {isOpen && <MentoringMenu mentoring={mentoring} />}
      </div>
      {children}
    </li>
  )
}
