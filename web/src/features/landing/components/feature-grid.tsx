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
        <ul className="grid grid-cols-[minmax(0,1fr)] gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {copy.features.map(({ title, text, ...more }, i) => {
            const glyph = glyphs[i]
            return (
              <li
                key={title}
                data-slot="feature"
                className="grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-4 gap-y-1 rounded-card border border-line bg-surface p-5"
              >
                {glyph && <Glyph of={glyph} stroke={1.6} className="row-span-2 size-7 text-ember-text" />}
                <h3 className="flex min-h-7 items-center type-h3 [overflow-wrap:anywhere]">{title}</h3>
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
