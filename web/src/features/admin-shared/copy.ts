/** Strings shared by several parts of the admin area, and those of its layout (§2.44-51, §8.21). */
const number = new Intl.NumberFormat('en-US')

export const adminCopy = {
  loadingPanel: 'Loading admin panel...', // §2.44
  secondFactor: 'The admin area asks for your second factor every 12 hours.', // §15.3
  noFactor: {
    title: 'Set up a second factor',
    text: 'Admins need a second factor on this site: an authenticator app or a passkey.',
    action: 'Open security settings',
  },
  denied: {
    id: 'access-denied',
    title: 'Access Denied',
    description: "You don't have permission to access this area.",
    variant: 'destructive',
  }, // §2.46, §8.21
  area: 'Admin', // §2.49
  sidebar: 'Admin sidebar',
  navigation: 'Admin',
  home: 'Muster, admin dashboard',
  toggle: 'Toggle sidebar',
  openMenu: (waiting: number) => (waiting > 0 ? `Open menu, ${number.format(waiting)} waiting` : 'Open menu'),
  ownProfile: 'Your profile',
  closeMenu: 'Close menu',
  analytics: 'Analytics',
  soon: 'Soon',
  exit: 'Exit Admin Mode', // §2.47
  signOut: 'Sign Out',
  badges: { waitlist: 'waiting', feedback: 'new messages', reports: 'to review' },
  loading: 'Loading.',
  failed: 'This could not be loaded.',
  tryAgain: 'Please try again.',
  unanswered: 'Muster didn’t answer. Check your connection and try again.',
  exportFailed: 'The export failed',
  statusFailed: 'The status wasn’t changed',
  notMailed: 'The email was not sent',
  noMailService: 'The mail service can’t be reached',
  saved: 'Saved',
  gone: { title: 'No longer here', text: 'It was deleted, or the link is incomplete.' },
  nothingDone:
    'Nothing was changed. It was deleted, someone else changed it first, or you are no longer allowed to do this.',
  any: 'any',
  actions: 'Actions',
  everything: 'Show everything',
  clearSearch: 'Clear search',
  selectAll: 'Select all on this page',
  selectAllShort: 'Select all',
  waitlistStatuses: { waitlist: 'Waitlist', pending: 'Pending', invited: 'Invited', active: 'Active' } as Record<
    string,
    string
  >,
  feedbackStatuses: { pending: 'New', reviewed: 'Reviewed', resolved: 'Resolved', dismissed: 'Dismissed' } as Record<
    string,
    string
  >,
  types: {
    career: 'Career',
    volunteer: 'Volunteer',
    wildland: 'Wildland',
    industrial: 'Industrial',
    military: 'Military',
    retired: 'Retired',
    other: 'Other',
    waitlist_quiz: 'Not given',
  } as Record<string, string>,
  platforms: {
    facebook: 'Facebook groups',
    reddit: 'Reddit',
    instagram_tiktok: 'Instagram, TikTok',
    linkedin: 'LinkedIn',
    messaging: 'Messaging apps',
    department: 'Department tools',
    nowhere: 'Nowhere yet',
    other: 'Other',
  } as Record<string, string>,
  pager: {
    of: (from: number, to: number, total: number, more: boolean) =>
      `${number.format(from)} to ${number.format(to)} of ${more ? 'more than ' : ''}${number.format(total)}`,
    page: 'Page',
    ofPages: (pages: number) => `of ${number.format(pages)}`,
    previous: 'Previous page',
    next: 'Next page',
  },
} as const
