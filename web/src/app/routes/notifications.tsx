/** /notifications : all of the member's notifications. */
import { Settings } from 'lucide-react'
import { LinkButton } from '@/components/ui/button'
import { paths } from '@/config/paths'
import { AnswerRequest } from '@/features/network/components/answer-request'
import { MarkAll } from '@/features/notifications/components/mark-all'
import { NotificationList } from '@/features/notifications/components/notification-list'
import { copy } from '@/features/notifications/copy'
import { DocumentHead } from '@/components/document-head'

export function Component() {
  return (
    <>
      <DocumentHead title={copy.title} />
      <div className="mx-auto max-w-[44rem]">
        <header className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h1 className="type-h1">{copy.title}</h1>
          <div className="flex gap-2">
            <MarkAll />
            <LinkButton to={paths.notificationSettings} size="icon" aria-label={copy.settings}>
              <Settings aria-hidden />
            </LinkButton>
          </div>
        </header>
        <NotificationList answer={(asked) => <AnswerRequest {...asked} />} />
      </div>
    </>
  )
}
