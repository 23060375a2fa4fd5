/** Selects the weeks the dashboard shows; kept in the URL. */
import { useSearchParams } from 'react-router-dom'
import { Input } from '@/components/ui/field'
import { FilterSelect } from '@/features/admin-shared/components/filter-select'
import { copy } from '../copy'
import { faultOf, type Period } from '../model'

interface Props {
  period: Period
  today: string
}

export function PeriodChoice({ period, today }: Props) {
  const [params, setParams] = useSearchParams()
  const byDays = params.has('from')
  const choose = (next: Record<string, string>) => setParams(next, { replace: true, preventScrollReset: true })
  const from = params.get('from') ?? period.first
  const to = params.get('to') ?? today
  const fault = byDays ? faultOf(params, today) : null
  const day = (label: string, value: string, change: (value: string) => void, min?: string) => (
    <label className="flex items-center gap-2 text-small text-muted max-sm:grow">
      {label}
      <Input
        type="date"
        value={value}
        min={min}
        max={today}
        required
        className="w-40 max-sm:w-full"
        onChange={({ target }) => target.value && change(target.value)}
      />
    </label>
  )
  return (
    <>
      <FilterSelect
        label={copy.range}
        value={byDays ? 'days' : String(period.weeks)}
        options={copy.ranges}
        onChoose={(chosen) => choose(chosen === 'days' ? { from: period.first, to: today } : { weeks: chosen })}
      />
      {byDays && day(copy.from, from, (value) => choose({ from: value, to }))}
      {byDays && day(copy.to, to, (value) => choose({ from, to: value }), from)}
      {fault && (
        <p role="alert" className="w-full text-small text-warning-text">
          {copy[fault]}
        </p>
      )}
    </>
  )
}
