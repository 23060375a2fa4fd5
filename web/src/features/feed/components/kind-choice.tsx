/** The kind of a post, as a row of radio buttons that scrolls sideways on mobile. */
import clsx from 'clsx'
import type { UseFormRegisterReturn } from 'react-hook-form'
import { scrollIntoRow } from '@/lib/focus/scroll-into-row'
import { copy } from '../copy'
import { type Kind, kinds } from '../model'
import { KindIcon } from './kind-icon'

const chosenLook: Record<Kind, string> = {
  lesson: 'has-checked:border-kind-lesson has-checked:bg-kind-lesson-soft has-checked:text-kind-lesson',
  training: 'has-checked:border-kind-training has-checked:bg-kind-training-soft has-checked:text-kind-training',
  project: 'has-checked:border-kind-project has-checked:bg-kind-project-soft has-checked:text-kind-project',
  question: 'has-checked:border-kind-question has-checked:bg-kind-question-soft has-checked:text-kind-question',
  general: 'has-checked:border-kind-general has-checked:bg-kind-general-soft has-checked:text-kind-general',
}

export function KindChoice({ kind, input }: { kind: Kind; input: UseFormRegisterReturn }) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{copy.compose.kind}</legend>
      <div className="relative flex fade-row [scrollbar-width:none] gap-2 overflow-x-auto p-0.5">
        {kinds.map((one) => (
          <label
            key={one}
            ref={kind === one ? scrollIntoRow : undefined}
            className={clsx(
              'inline-flex h-9 shrink-0 cursor-pointer items-center gap-1.5 rounded-control border border-line px-3 text-label font-semibold has-focus-visible:outline-2 has-focus-visible:outline-focus md:h-8 [&_svg]:size-4',
              chosenLook[one],
            )}
          >
            <input type="radio" value={one} className="sr-only" {...input} />
            <KindIcon kind={one} />
            {copy.shortKinds[one]}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
