/** What the recipient will see, as one types: the notification in their list, and the email. */
import type { ReactNode } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { Card } from '@/components/ui/card'
import { copy } from '../copy'
import type { TestNotification } from '../schema'

/** A notification as far as it is drawn. */
export interface PreviewedNotice {
  title: string
  content: string
}

interface Props {
  control: Control<TestNotification>
  /** Draws it as the list of notifications does. */
  renderNotice: (notice: PreviewedNotice) => ReactNode
}

export function Previews({ control, renderNotice }: Props) {
  const [title, content] = useWatch({ control, name: ['title', 'content'] })
  const shown = title.trim() || copy.noTitle
  return (
    <div className="grid gap-6">
      <section aria-labelledby="notice-preview">
        <h2 id="notice-preview" className="mb-2 type-card">
          {copy.inApp}
        </h2>
        <Card className="p-4">{renderNotice({ title: shown, content })}</Card>
      </section>
      <section aria-labelledby="mail-preview">
        <h2 id="mail-preview" className="mb-2 type-card">
          {copy.byMail}
        </h2>
        <Card className="overflow-hidden">
          <p className="px-5 py-3 type-name on-bar">Muster</p>
          <div className="grid gap-3 p-5 [overflow-wrap:anywhere]">
            <p dir="auto" className="type-h2">
              {shown}
            </p>
            {content && (
              <p dir="auto" className="whitespace-pre-line">
                {content}
              </p>
            )}
            <span className="justify-self-start rounded-control bg-ember px-5 py-3 font-semibold text-ember-on">
              {copy.openMuster}
            </span>
            <p className="text-small text-muted">{copy.mailReason}</p>
          </div>
        </Card>
      </section>
    </div>
  )
}
