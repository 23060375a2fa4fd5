/** Every string of the admin dashboard (§2.44-51). */
const number = new Intl.NumberFormat('en-US')

export const copy = {
  title: 'Dashboard',
  week: (date: string) => `Week of ${date}`,
  range: 'Period',
  ranges: [
    ['4', '4 weeks'],
    ['12', '12 weeks'],
    ['26', '26 weeks'],
    ['52', '52 weeks'],
    ['days', 'Custom range'],
  ] as const,
  from: 'From',
  to: 'To',
  review: (count: number) => (count === 1 ? 'Review 1 new entry' : `Review ${number.format(count)} new entries`),
  members: 'Members',
  waitlist: 'On the waitlist',
  invited: 'Invited, not yet in',
  posts: 'Posts this week',
  feedback: 'Open feedback',
  fresh: (count: number) => `+${number.format(count)} this week`,
  old: (count: number) => `${number.format(count)} older than 7 days`,
  today: (count: number) => (count === 0 ? 'None today' : `${number.format(count)} from today`),
  than: (change: number) =>
    change === 0
      ? 'Same as last week'
      : `${number.format(Math.abs(change))} ${change > 0 ? 'more' : 'fewer'} than last week`,
  growth: 'Members and waitlist',
  activity: 'Messages and connections',
  weekly: 'New posts by week',
  types: 'Members by type',
  platforms: 'Where they connect today',
  answered: (count: number) => `${number.format(count)} quiz answers`,
  kinds: 'Waitlist by type',
  notGiven: 'Not given',
  messages: 'Messages',
  connections: 'Connections',
  postsSeries: 'Posts',
  waitlistSeries: 'Waitlist',
  noFigures: 'No figures yet.',
  inWeeks: (count: number) => (count === 1 ? 'in one week' : `in ${count} weeks`),
  joining: 'Waitlist entries',
  noAnswersYet: 'Nobody has answered the quiz yet.',
  noMembersYet: 'No members yet.',
} as const
