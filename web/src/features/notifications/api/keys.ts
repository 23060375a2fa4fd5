import { noticesRoot } from '@/api/notices/keys'

export const notificationKeys = {
  all: noticesRoot,
  unread: (memberId: string) => [...notificationKeys.all, 'unread', memberId] as const,
  list: (memberId: string) => [...notificationKeys.all, 'list', memberId] as const,
}
