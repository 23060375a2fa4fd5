/** Every notification kind that members trigger has titles, and the list finds the name each one starts with. */
import { describe, expect, it } from 'vitest'
import { copy as connections } from '@/api/connections/copy'
import type { MemberKind } from '@/api/notifications/settings'
import { copy as feed } from '@/features/feed/copy'
import { copy as messages } from '@/features/messages/copy'
import { sentenceOf } from '@/features/notifications/model'

const titles: Record<MemberKind, readonly ((name: string) => string)[]> = {
  message: [messages.notification],
  connection: [connections.notifications.requested, connections.notifications.accepted],
  mention: [feed.notifications.mentioned],
  comment: [feed.notifications.commented, feed.notifications.answered],
  reaction: [feed.notifications.usefulPost, feed.notifications.usefulComment],
}

describe.each(Object.entries(titles))('titles of %s', (_kind, makers) => {
  it.each(makers)('%s', (titleFor) => {
    const title = titleFor('Ben Adeyemi')
    expect(sentenceOf(title, { user_id: 'ben' }).name).toBe('Ben Adeyemi')
  })
})
