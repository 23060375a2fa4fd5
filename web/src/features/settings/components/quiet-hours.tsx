/** When a device stays quiet (§17.3): on or off, and its two ends, saved once they differ. */
import { useState } from 'react'
import { Field, Input } from '@/components/ui/field'
import { copy } from '../copy'
import { SettingRow } from './setting-row'

const strings = copy.push.quiet
/** A night. */
const usual = { from: '22:00', until: '07:00' }

interface Props {
  context: string
  from: string | null
  until: string | null
  onChange: (from: string | null, until: string | null) => void
}

export function QuietHours({ context, from, until, onChange }: Props) {
  const [typed, setTyped] = useState<{ from: string; until: string } | null>(null)
  const shown = typed ?? { from: from ?? usual.from, until: until ?? usual.until }
  const change = (part: Partial<typeof shown>) => {
    const next = { ...shown, ...part }
    const isWhole = next.from !== '' && next.until !== '' && next.from !== next.until
    setTyped(isWhole ? null : next)
    if (isWhole) onChange(next.from, next.until)
  }
  const end = (which: 'from' | 'until', error: string | null) => (
    <Field label={strings[which]} error={error} className="w-36">
      {(control) => (
        <Input
          {...control}
          type="time"
          value={shown[which]}
          onChange={(event) => change({ [which]: event.target.value })}
        />
      )}
    </Field>
  )
  return (
    <>
      <SettingRow
        label={strings.label}
        hint={strings.hint}
        context={context}
        checked={from !== null}
        onChange={(on) => {
          setTyped(null)
          onChange(on ? usual.from : null, on ? usual.until : null)
        }}
      />
      {from !== null && (
        <div className="flex flex-wrap gap-3 pb-2">
          {end('from', null)}
          {end('until', typed && typed.from !== '' && typed.from === typed.until ? strings.same : null)}
        </div>
      )}
    </>
  )
}
