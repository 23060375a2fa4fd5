/** One switch with its label and description. */
import { useId } from 'react'
import { Switch } from '@/components/ui/switch'

interface Props {
  label: string
  hint?: string
  /** Visually hidden prefix of the label, for context. */
  context?: string
  checked: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}

export function SettingRow({ label, hint, context, checked, disabled, onChange }: Props) {
  const id = useId()
  return (
    <div className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0">
        <label htmlFor={id} className="block text-ui font-semibold">
          {context && <span className="sr-only">{context}: </span>}
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-small text-muted">
            {hint}
          </p>
        )}
      </div>
      <Switch
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
      />
    </div>
  )
}
