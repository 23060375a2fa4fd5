/** Light, dark, or as the device has it; kept in this browser. */
import { useState } from 'react'
import { chooseTheme, readTheme, themes } from '@/lib/browser/theme'
import { copy } from '../copy'
import { Section } from './section'

const strings = copy.appearance

export function AppearanceSection() {
  const [chosen, setChosen] = useState(readTheme)
  return (
    <Section title={strings.title} lead={strings.lead}>
      <fieldset className="grid gap-2 sm:grid-cols-3">
        <legend className="sr-only">{strings.title}</legend>
        {themes.map((theme) => (
          <label
            key={theme}
            className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control border border-line-strong px-4 text-ui font-semibold has-checked:border-ember has-checked:bg-ember-soft"
          >
            <input
              type="radio"
              name="theme"
              className="size-5 accent-(--ember)"
              checked={theme === chosen}
              onChange={() => {
                chooseTheme(theme)
                setChosen(theme)
              }}
            />
            {strings.themes[theme]}
          </label>
        ))}
      </fieldset>
    </Section>
  )
}
