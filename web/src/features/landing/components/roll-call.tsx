/** The accountability board: a tag per person; the last position is free, or the member's. Decorative. */
import { NameTag } from '@/components/art/name-tag'

type Tag = readonly [rank: string, name: string]

const companies: readonly (readonly [string, readonly Tag[]])[] = [
  [
    'Engine 41',
    [
      ['CAPT', 'Bell'],
      ['ENG', 'Solberg'],
      ['FF/PM', 'Okafor'],
      ['FF', 'Tran'],
    ],
  ],
  [
    'Truck 12',
    [
      ['LT', 'Herrera'],
      ['FF', 'Whitcomb'],
      ['FF', 'Kowalczyk'],
      ['PROBIE', 'Adeyemi'],
    ],
  ],
  [
    'Crew 7',
    [
      ['SUPT', 'Raman'],
      ['SQD', 'Yazzie'],
      ['SAWYER', 'Lindqvist'],
    ],
  ],
]

interface Props {
  /** The name of whoever is signed in, or fills in the quiz. */
  member?: string | undefined
  rank?: string
}

export function RollCall({ member, rank = 'FF' }: Props) {
  const last: Tag = member ? [rank, member] : ['', 'You']
  return (
    <div
      aria-hidden
      className="grid grid-cols-3 gap-2 rounded-dialog border border-bar-line p-3 on-bar md:gap-3 md:p-4"
    >
      {companies.map(([company, tags], i) => (
        <div key={company} className="min-w-0">
          <p className="mb-3 truncate border-b border-bar-line pb-2 type-mark tracking-normal text-bar-muted font-stretch-[110%]">
            {company}
          </p>
          {(i === companies.length - 1 ? [...tags, last] : tags).map(([rank, name]) => (
            <NameTag key={name} rank={rank} name={name} className="mb-2 last:mb-0" />
          ))}
        </div>
      ))}
      <p className="col-span-3 flex justify-between gap-4 border-t border-bar-line pt-3 text-label text-bar-muted">
        <span>Accounted for</span>
        <span className="tabular-nums">{member ? 12 : 11} of 12</span>
      </p>
    </div>
  )
}
