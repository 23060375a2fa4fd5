/** The choices of a step: cards over native radio buttons and checkboxes. */
import clsx from 'clsx'
import { useRef } from 'react'

interface OptionProps {
  type: 'radio' | 'checkbox'
  name: string
  value: string
  label: string
  checked: boolean
  onToggle: () => void
  describedBy?: string | undefined
  invalid?: boolean
}

function Option({ type, name, value, label, checked, onToggle, describedBy, invalid }: OptionProps) {
  // A selected radio fires no change event; a click, or the space bar, then clears it (§5.10).
  const takesBack = type === 'radio' && checked
  const spaced = useRef(false)
  return (
    <label
      className={clsx(
        'relative flex min-h-13 cursor-pointer items-center gap-3 rounded-card border px-4 py-2.5 transition-colors',
        'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
        checked
          ? 'border-ember bg-ember-soft shadow-[inset_0_0_0_1px_var(--ember)]'
          : 'border-line-strong bg-surface hover:bg-sunken',
      )}
    >
      <input
        type={type}
        name={name}
        value={value}
        checked={checked}
        aria-describedby={describedBy}
        aria-invalid={invalid || undefined}
        className="peer sr-only"
        onChange={() => {
          if (!checked || type === 'checkbox') onToggle()
        }}
        onClick={() => takesBack && onToggle()}
        onKeyDown={(event) => {
          spaced.current = takesBack && event.key === ' '
        }}
        onKeyUp={(event) => {
          if (!spaced.current || event.key !== ' ') return
          spaced.current = false
          event.preventDefault() // prevents the browser's own click for the space bar
          onToggle()
        }}
      />
      <span
        aria-hidden
        className={clsx(
          'grid size-4.5 shrink-0 place-items-center border-[1.5px]',
          type === 'radio' ? 'rounded-full' : 'rounded-tag',
          checked ? 'border-ember bg-ember text-ember-on' : 'border-line-strong bg-surface',
        )}
      >
        {checked && (
          <svg viewBox="0 0 12 12" className="size-3" fill="none" stroke="currentColor" strokeWidth="2.2">
            <path d="M2 6.4 4.8 9 10 3.2" strokeLinecap="round" strokeLinejoin="round" />
          </svg>
        )}
      </span>
      <span className="text-body font-[560] font-stretch-[103%]">{label}</span>
    </label>
  )
}

interface ChoicesProps {
  type: 'radio' | 'checkbox'
  name: string
  options: readonly (readonly [string, string])[]
  isChosen: (value: string) => boolean
  onToggle: (value: string) => void
  errorId?: string | undefined
}

export function Choices({ type, name, options, isChosen, onToggle, errorId }: ChoicesProps) {
  return (
    <div className="grid gap-2 sm:grid-cols-2">
      {options.map(([value, label]) => (
        <Option
          key={value}
          type={type}
          name={name}
          value={value}
          label={label}
          checked={isChosen(value)}
          onToggle={() => onToggle(value)}
          describedBy={errorId}
          invalid={errorId !== undefined}
        />
      ))}
    </div>
  )
}
