/** Every string of the admin waitlist (§2.44-51). */
const number = new Intl.NumberFormat('en-US')

export const copy = {
  title: 'Waitlist',
  all: 'All',
  search: 'Search e-mail or role',
  type: 'Type',
  years: 'Years',
  email: 'E-mail',
  role: 'Role',
  status: 'Status',
  joined: 'Joined',
  export: 'Export CSV',
  exporting: 'Exporting...',
  exported: (count: number) => (count === 1 ? '1 entry exported' : `${number.format(count)} entries exported`),
  empty: 'Nobody found',
  emptyText: 'No entry matches these filters.',
  none: 'The waitlist is empty',
  noneText: 'People who join will appear here.',
  selected: (count: number) => `${count} selected`,
  order: 'Order',
  orders: [
    ['', 'Newest first'],
    ['oldest', 'Oldest first'],
  ] as const,
  yearsLong: (years: string) =>
    years === 'Not given' ? 'Years not given' : years === 'Under 1' ? 'Under 1 year' : `${years} years`,
  select: (email: string) => `Select ${email}`,
  invite: (count: number) => `Invite ${count}`,
  inviting: 'Inviting...',
  inviteOne: 'Invite',
  again: 'Send the invitation again',
  markPending: 'Mark as pending',
  backToWaitlist: 'Back to waitlist',
  remove: 'Remove from waitlist',
  removeTitle: (email: string) => `Remove ${email}?`,
  removeText: 'The entry is deleted. The quiz answers stay, without the address.',
  answers: 'Quiz answers',
  actions: (email: string) => `Actions for ${email}`,
  clear: 'Clear',
  invited: (emails: readonly string[]) =>
    emails.length === 0
      ? 'No invitation sent'
      : emails.length === 1
        ? `Invitation sent to ${emails[0]}`
        : `${emails.length} invitations sent`,
  inviteTitle: (count: number) => (count === 1 ? 'Invite 1 person?' : `Invite ${count} people?`),
  inviteText: 'Each gets an e-mail with a link to register. It cannot be taken back. Members are left out.',
  members: (count: number) => (count === 1 ? '1 is a member already' : `${count} are members already`),
  notMailed: (count: number) => `${count} not mailed`,
  passed: (count: number) => `${count} not invited: another admin invited them, or they just joined`,
  frustrations: 'What frustrates them',
  wishlist: 'What would make it worth their time',
  platforms: 'Where they connect today',
  noAnswers: 'No quiz answers.',
  yearsOfService: {
    'less-than-1': 'Under 1',
    '1-5': '1 to 5',
    '6-10': '6 to 10',
    '11-20': '11 to 20',
    'more-than-20': 'Over 20',
    unknown: 'Not given',
  } as Record<string, string>,
} as const
