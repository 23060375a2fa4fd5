/** The article as readers will see it: beside the form on wide screens, with its own scrollbar, or alone. */
/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable without a mouse */
import clsx from 'clsx'
import { type ReactNode, useEffect, useRef } from 'react'
import { Cover } from '@/components/art/cover'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { publicPicture } from '@/lib/files/model'
import { copy } from '../copy'
import type { Draft } from '../model'

interface Props {
  values: Draft
  /** In place of the form. */
  full: boolean
  onClose: () => void
  /** The rendered text. */
  children: ReactNode
}

export function Preview({ values: { title, summary, category, slug, image }, full, onClose, children }: Props) {
  const back = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (full) back.current?.focus()
  }, [full])
  const picture = 'mb-5 aspect-[21/9] w-full rounded-control object-cover'
  return (
    <section
      aria-labelledby="preview"
      className={clsx('min-w-0', full ? 'mx-auto w-full max-w-[46rem]' : 'xl:sticky xl:top-8 xl:self-start')}
    >
      <div className="mb-3 flex items-center justify-between gap-4">
        <h2 id="preview" className="type-card">
          {copy.preview}
        </h2>
        {full && (
          <Button ref={back} size="sm" onClick={onClose}>
            {copy.keepWriting}
          </Button>
        )}
      </div>
      <div
        tabIndex={0}
        role="group"
        aria-labelledby="preview"
        className={clsx('rounded-card', !full && 'xl:max-h-[calc(100dvh-7rem)] xl:overflow-y-auto')}
      >
        <Card className="p-5 [overflow-wrap:anywhere]">
          {image ? (
            <img src={publicPicture(image, 640)} alt="" className={picture} />
          ) : (
            <Cover slug={slug} category={category} className={picture} />
          )}
          {category && (
            <Badge className="max-w-full">
              <span className="truncate">{category}</span>
            </Badge>
          )}
          <p dir="auto" className="mt-3 type-h1">
            {title || copy.untitled}
          </p>
          {summary && (
            <p dir="auto" className="mt-3 text-lead text-muted">
              {summary}
            </p>
          )}
          <div className="mt-5">{children}</div>
        </Card>
      </div>
    </section>
  )
}
