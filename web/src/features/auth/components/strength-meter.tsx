/** Shows how strong a password is. */
import clsx from 'clsx'
import { copy } from '../copy'
import { passwordStrength } from '../model'

const grounds = ['bg-destructive', 'bg-destructive', 'bg-warning-text', 'bg-success-text', 'bg-success-text'] as const

export function StrengthMeter({ password, personal }: { password: string; personal: readonly string[] }) {
  const strength = passwordStrength(password, personal)
  const { label, levels, hint } = copy.strength
  const word = password === '' ? '' : levels[strength]
  return (
    <div className="grid gap-1.5">
      <div
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={4}
        aria-valuenow={password === '' ? 0 : strength}
        aria-valuetext={word || levels[0]}
        className="flex h-1.5 gap-1 overflow-hidden"
      >
        {[1, 2, 3, 4].map((step) => (
          <i
            key={step}
            className={clsx(
              'flex-1 slant',
              password !== '' && Math.max(strength, 1) >= step ? grounds[strength] : 'bg-line',
            )}
          />
        ))}
      </div>
      <p className="flex justify-between gap-3 text-small text-muted">
        <span>{hint}</span>
        <span role="status" className="font-semibold text-ink">
          {word}
        </span>
      </p>
    </div>
  )
}
