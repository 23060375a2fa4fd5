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
  /** The visitor has just joined the list: the tag is lit, beside a seat for whoever they bring. */
  joined?: boolean
}

const crewSeat: Tag = ['', 'Your crew']

export function RollCall({ member, rank = 'FF', joined = false }: Props) {
  const last: Tag = member ? [rank, member] : ['', 'You']
  const tagsOf = (company: number, tags: readonly Tag[]) => {
    if (company === companies.length - 1) return [...tags, last]
    return joined && company === companies.length - 2 ? [...tags.slice(0, -1), crewSeat] : tags
  }
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
          {tagsOf(i, tags).map((tag) => (
            <NameTag key={tag[1]} rank={tag[0]} name={tag[1]} hot={joined && tag === last} className="mb-2 last:mb-0" />
          ))}
        </div>
      ))}
      <p className="col-span-3 flex justify-between gap-4 border-t border-bar-line pt-3 text-label text-bar-muted">
        <span>{joined ? 'Your tag is on the board' : 'Accounted for'}</span>
        {!joined && <span className="tabular-nums">{member ? 12 : 11} of 12</span>}
      </p>
    </div>
  )
}
