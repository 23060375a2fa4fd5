/** The filters of the waitlist. */
import { FilterSelect } from '@/features/admin-shared/components/filter-select'
import { SearchBox } from '@/features/admin-shared/components/search-box'
import { adminCopy } from '@/features/admin-shared/copy'
import { copy } from '../copy'
import type { WaitlistView } from '../model'

const options = (label: string, names: Record<string, string>) =>
  [['', `${label}: ${adminCopy.any}`], ...Object.entries(names)] as [string, string][]

interface Props {
  view: WaitlistView
  onFilter: (changes: Record<string, string>) => void
}

export function Filters({ view, onFilter }: Props) {
  return (
    <div className="mb-4 flex flex-wrap gap-3">
      <SearchBox value={view.search} label={copy.search} onSearch={(search) => onFilter({ search })} />
      <FilterSelect
        label={copy.type}
        value={view.kind}
        options={options(copy.type, adminCopy.types)}
        onChoose={(type) => onFilter({ type })}
      />
      <FilterSelect
        label={copy.years}
        value={view.years}
        options={options(copy.years, copy.yearsOfService)}
        onChoose={(years) => onFilter({ years })}
      />
      {/* On mobile, where the column headings are hidden. */}
      <FilterSelect
        label={copy.order}
        value={view.oldestFirst ? 'oldest' : ''}
        options={copy.orders}
        className="md:hidden"
        onChoose={(order) => onFilter({ order })}
      />
    </div>
  )
}
