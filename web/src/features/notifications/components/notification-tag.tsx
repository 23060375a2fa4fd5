/** The actor of a notification: a member’s avatar, or the logo for the system. */
import { Avatar } from '@/components/ui/avatar'
import { Mark } from '@/components/ui/brand'
import { causerOf, sentenceOf } from '../model'

export function NotificationTag({ metadata, title }: { metadata: unknown; title: string }) {
  const causer = causerOf(metadata)
  if (causer) return <Avatar memberId={causer} name={sentenceOf(title, metadata).name} />
  return (
    <span className="grid size-10 shrink-0 place-items-center rounded-[24%] on-bar">
      <Mark onBar className="size-5.5" />
    </span>
  )
}
