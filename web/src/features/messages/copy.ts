/** Every string of the messages (§3.19, §5.19-21, §8.18, §8.41). */
export const copy = {
  report: 'Report',
  file: 'Picture or file',
  picture: 'Picture',
  pdf: 'File.pdf',
  title: 'Messages',
  conversations: 'Conversations',
  with: (name: string) => `Conversation with ${name}`,
  participant: 'User', // §3.19
  find: 'Find a conversation',
  compose: 'New message',
  you: (text: string) => `You: ${text}`,
  unread: 'unread',
  loading: 'Loading your messages…',
  error: { title: 'Error fetching messages', description: 'Failed to load messages. Please try again.' }, // §8.18
  empty: { title: 'No conversations', text: 'Message someone from their profile.', action: 'Find people' },
  nothingFound: 'No conversation matches.',
  pick: { title: 'Select a conversation', text: 'Or start a new one.' },
  older: 'Load older messages',
  olderConversations: 'Load older conversations',
  loadingMore: 'Loading…',
  newest: 'Newest',
  start: (name: string) => `Start the conversation with ${name}.`,
  back: 'Back to conversations',
  profile: 'Open profile',
  notConnected: 'Not connected',
  log: 'Messages',
  box: (name: string) => `Message to ${name}`,
  placeholder: 'Write a message',
  send: 'Send',
  read: 'Read',
  sentState: 'Sent',
  sending: 'Sending…',
  sent: { title: 'Message sent', id: 'message-sent' }, // §8.41
  sendError: {
    title: 'Error sending message',
    description: 'There was a problem sending your message. Please try again.',
    variant: 'destructive',
  }, // §8.18
  readError: { title: 'Error marking message as read', variant: 'destructive' }, // §8.18
  refusal: {
    closed: 'This user only accepts messages from connections', // §5.20
    limit: 'You have reached your daily limit for messages to non-connections', // §5.21
  },
  allowance: {
    used: (used: number, of: number) => `${used} of ${of}`,
    text: 'messages to non-connections used today.',
  },
  tooLong: (over: number) => `${over} characters too many`,
  newMessage: {
    title: 'New message',
    label: 'To',
    placeholder: 'Name or email',
    none: 'No users found',
    hint: 'Enter at least 2 characters.',
  },
  notification: (name: string) => `${name} sent you a message`,
} as const
