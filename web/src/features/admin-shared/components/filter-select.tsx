/** A filter: a native select with a visually hidden label. */
import clsx from 'clsx'
import { Select } from '@/components/ui/select'

interface Props {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  onChoose: (value: string) => void
  className?: string
}

export function FilterSelect({ label, value, options, onChoose, className }: Props) {
  return (
    <Select
      aria-label={label}
      value={value}
      onChange={(event) => onChoose(event.target.value)}
      className={clsx('max-w-full max-sm:min-w-0 max-sm:grow max-sm:basis-[calc(50%-0.75rem)]', className)}
    >
      {options.map(([own, text]) => (
        <option key={own} value={own}>
          {text}
        </option>
      ))}
    </Select>
  )
}
