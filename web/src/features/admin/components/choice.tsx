/** A filter: a native choice whose label is read out, not drawn. */
import { Select } from '@/components/ui/select'

interface Props {
  label: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
  onChoose: (value: string) => void
}

export function Choice({ label, value, options, onChoose }: Props) {
  return (
    <Select aria-label={label} value={value} onChange={(event) => onChoose(event.target.value)} className="max-sm:grow">
      {options.map(([own, text]) => (
        <option key={own} value={own}>
          {text}
        </option>
      ))}
    </Select>
  )
}
