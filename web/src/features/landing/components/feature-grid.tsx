/** §2.1: six features. */
import { Link } from 'react-router-dom'
import { Glyph } from '@/components/art/glyph'
import { copy } from '../copy'

const glyphs = ['people', 'steps', 'book', 'cap', 'award', 'hammer'] as const

export function FeatureGrid() {
  return (
    <section aria-labelledby="features-title" className="py-[clamp(3rem,6vw,5.5rem)]">
      <div className="page">
        <h2 id="features-title" className="mb-8 type-h1">
          {copy.featuresTitle}
        </h2>
        <ul className="grid grid-cols-[minmax(0,1fr)] max-[50rem]:divide-y max-[50rem]:divide-line max-[50rem]:rounded-card max-[50rem]:border max-[50rem]:border-line max-[50rem]:bg-surface min-[50rem]:grid-cols-2 min-[50rem]:gap-4 min-[75rem]:grid-cols-3">
          {copy.features.map(({ title, text, ...more }, i) => {
            const glyph = glyphs[i]
            return (
              <li
                key={title}
                data-slot="feature"
                className="grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3 gap-y-1 p-4 min-[50rem]:rounded-card min-[50rem]:border min-[50rem]:border-line min-[50rem]:bg-surface min-[75rem]:p-5"
              >
                {glyph && <Glyph of={glyph} stroke={1.6} className="row-span-2 size-7 text-ember-text" />}
                <h3 className="min-h-7 pt-0.5 type-h3 text-balance [overflow-wrap:anywhere]">{title}</h3>
                <p className="text-ui text-balance text-muted">
                  {text}
                  {'to' in more && (
                    <>
                      {' '}
                      <Link to={more.to} className="link whitespace-nowrap">
                        {more.link}
                      </Link>
                    </>
                  )}
                </p>
              </li>
            )
          })}
        </ul>
      </div>
    </section>
  )
}
