/** Every string of the bell, the list and the toasts (§2.29-35, §4.25, §8.17, §8.47, §9.15). */
import { limits } from '@/config/limits'
import { truncate } from '@/lib/format/truncate'

export const copy = {
  title: 'Notifications', // §2.30
  more: (count: number) => `View ${count.toLocaleString('en-US')} more notifications`, // §2.32
  empty: 'No new notifications', // §2.33
  viewAll: 'View all notifications', // §2.34
  settings: 'Notification settings', // §2.35
  loading: 'Loading notifications…',
  loadError: 'Failed to load notifications', // §8.17
  button: (unread: number) =>
    unread > 0 ? `Notifications, ${unread.toLocaleString('en-US')} unread` : 'Notifications',
  unread: 'new',
  others: (count: number) => (count === 1 ? ' and 1 other' : ` and ${count} others`),
  marked: (count: number) => ({ title: `Marked ${count.toLocaleString('en-US')} notifications as read` }), // §4.25
  markError: { title: 'Error clearing notifications', variant: 'destructive' }, // §8.17
  close: 'Close notifications',
  again: 'Try again',
  list: {
    error: { title: 'Error', description: 'Failed to load notifications' }, // §8.17
    moreError: { title: 'Error', description: 'Failed to load more notifications', variant: 'destructive' }, // §8.17
    empty: { title: 'Nothing yet', text: 'Requests, messages and mentions will be listed here.' },
    loadMore: 'Load more',
    loadingMore: 'Loading…',
    markAll: 'Mark all as read',
    markingAll: 'Marking…',
    menu: (title: string) => `Actions: ${title}`,
    markOne: 'Mark as read',
    remove: 'Delete',
    filter: 'Show',
    filters: { all: 'All', new: 'New', requests: 'Requests' },
    none: 'Nothing here',
  },
  removeError: { title: 'Error', description: 'The notification could not be deleted.', variant: 'destructive' },
  mentioned: (name: string | undefined) =>
    ({
      title: 'You were mentioned!',
      description: `${name || 'Someone'} mentioned you in a comment`,
      variant: 'mention',
    }) as const, // §8.47
  see: 'See it',
  /** Admin notifications; text entered on the waitlist or as feedback may be long. */
  fromAdmins: ({ title, content }: { title: string; content: string | null }) =>
    content ? { title, description: truncate(content, limits.adminNotificationPreviewChars) } : { title }, // §9.15
} as const
