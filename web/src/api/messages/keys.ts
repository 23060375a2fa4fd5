/** The query keys of messages. */
export const messageKeys = {
  all: ['messages'] as const,
  /** Realtime subscriptions. */
  followed: ['messages', 'followed'] as const,
  conversationLists: (memberId: string) => [...messageKeys.followed, 'conversations', memberId] as const,
  /** `term` '': all conversations. */
  conversations: (memberId: string, term: string) => [...messageKeys.conversationLists(memberId), term] as const,
  threads: (memberId: string) => [...messageKeys.followed, 'thread', memberId] as const,
  thread: (memberId: string, otherId: string) => [...messageKeys.threads(memberId), otherId] as const,
  unread: (memberId: string) => [...messageKeys.followed, 'unread', memberId] as const,
  allowance: (memberId: string) => [...messageKeys.all, 'allowance', memberId] as const,
  recipient: (otherId: string) => [...messageKeys.all, 'recipient', otherId] as const,
}
