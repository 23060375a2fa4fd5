/** The accountability board: a tag per person, one position still free. Decorative. */
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
      ['PROB', 'Adeyemi'],
    ],
  ],
  [
    'Crew 7',
    [
      ['SUPT', 'Raman'],
      ['SQD', 'Yazzie'],
      ['SAW', 'Lindqvist'],
      ['', 'You'],
    ],
  ],
]

export function RollCall() {
  return (
    <div
      aria-hidden
      className="grid grid-cols-3 gap-2 rounded-dialog border border-bar-line p-3 on-bar md:gap-3 md:p-4"
    >
      {companies.map(([company, tags]) => (
        <div key={company} className="min-w-0">
          <p className="mb-3 truncate border-b border-bar-line pb-2 type-mark tracking-normal text-bar-muted font-stretch-[110%]">
            {company}
          </p>
          {tags.map(([rank, name]) => (
            <NameTag key={name} rank={rank} name={name} className="mb-2 last:mb-0" />
          ))}
        </div>
      ))}
      <p className="col-span-3 flex justify-between gap-4 border-t border-bar-line pt-3 text-label text-bar-muted">
        <span>Accounted for</span>
        <span className="tabular-nums">11 of 12</span>
      </p>
    </div>
  )
}
