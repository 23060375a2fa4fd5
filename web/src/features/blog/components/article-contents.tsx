/** The headings of an article as links beside it; the one that is read is marked. */
import clsx from 'clsx'
import { type RefObject, useEffect, useState } from 'react'
import { copy } from '../copy'
import { headingId } from '../model'

/** Fewer are no list. */
const fewest = 3

interface Heading {
  id: string
  text: string
}

/** The headings in the element, which get ids to be linked by, once it has its text. */
function useHeadings(body: RefObject<HTMLElement | null>): Heading[] {
  const [headings, setHeadings] = useState<Heading[]>([])
  useEffect(() => {
    const box = body.current
    if (!box) return
    const read = () => {
      const found = [...box.querySelectorAll('.prose > h2')].map((element) => {
        const text = element.textContent
        element.id = `part-${headingId(text)}`
        return { id: element.id, text }
      })
      setHeadings((before) => (before.map(({ id }) => id).join() === found.map(({ id }) => id).join() ? before : found))
    }
    read()
    const watch = new MutationObserver(read) // the text may be rendered later
    watch.observe(box, { childList: true, subtree: true })
    return () => watch.disconnect()
  }, [body])
  return headings
}

function useCurrent(headings: readonly Heading[]): string | undefined {
  const [current, setCurrent] = useState<string>()
  useEffect(() => {
    const onScroll = () => {
      const passed = headings.filter(({ id }) => (document.getElementById(id)?.getBoundingClientRect().top ?? 0) < 140)
      setCurrent(passed.at(-1)?.id ?? headings[0]?.id)
    }
    onScroll()
    window.addEventListener('scroll', onScroll, { passive: true })
    return () => window.removeEventListener('scroll', onScroll)
  }, [headings])
  return current
}

export function ArticleContents({ body }: { body: RefObject<HTMLElement | null> }) {
  const headings = useHeadings(body)
  const current = useCurrent(headings)
  if (headings.length < fewest) return null
  return (
    <nav aria-label={copy.contents} className="sticky top-24">
      <p className="mb-3 type-mark text-muted">{copy.contents}</p>
      <ul className="border-l border-line text-small">
        {headings.map(({ id, text }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? 'location' : undefined}
              className={clsx(
                '-ml-px block border-l-2 py-1.5 pl-3',
                id === current ? 'border-ember font-semibold text-ink' : 'border-transparent text-muted hover:text-ink',
              )}
            >
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
