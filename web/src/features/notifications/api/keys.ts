import { notificationsRoot } from '@/api/notifications/keys'

export const notificationKeys = {
  all: notificationsRoot,
  unread: (memberId: string) => [...notificationKeys.all, 'unread', memberId] as const,
  list: (memberId: string) => [...notificationKeys.all, 'list', memberId] as const,
}
