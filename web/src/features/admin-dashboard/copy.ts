/** Every string of the admin dashboard (§2.44-51). */
import { trendOf } from './model'

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
  reversed: 'From is after To, so only one week is shown.',
  future: 'To is in the future, so the weeks end with this one.',
  review: (count: number) => (count === 1 ? 'Review 1 new entry' : `Review ${number.format(count)} new entries`),
  members: 'Members',
  waitlist: 'On the waitlist',
  invited: 'Invited, not yet in',
  posts: 'Posts this week',
  feedback: 'Open feedback',
  reports: 'Open reports',
  /** New ones this week, beside the week before. */
  fresh: (count: number, before: number) => {
    const words = {
      up: `up from ${number.format(before)}`,
      down: `down from ${number.format(before)}`,
      same: 'same as last week',
    }
    return `${count === 0 ? 'None' : number.format(count)} new, ${words[trendOf(count, before)]}`
  },
  noReports: 'Nothing to review',
  oldestReport: (ago: string) => `Oldest: ${ago}`,
  live: 'Live',
  justNow: {
    title: 'Just now',
    pause: 'Pause',
    resume: (waiting: number) => (waiting > 0 ? `Show ${number.format(waiting)} new` : 'Resume'),
    none: 'Nothing has happened yet.',
    someone: 'Someone',
    visitor: 'A visitor',
    waitlist: 'joined the waitlist.',
    joined: 'created an account',
    cameInvited: 'joined from an invitation',
    reported: (subject: string) => `${subject} was reported:`,
    subjects: { post: 'A post', comment: 'A comment', message: 'A message', profile: 'A profile' } as Record<
      string,
      string
    >,
    reasons: {
      spam: 'spam',
      harassment: 'harassment',
      private_information: 'private information',
      unsafe_practice: 'unsafe practice',
      confidentiality: 'patient or incident confidentiality',
      other: 'something else',
    } as Record<string, string>,
    feedback: 'sent feedback:',
    published: 'published',
    invite: 'Review and invite',
    profile: 'Open profile',
    review: 'Review',
    answer: 'Read and reply',
    read: 'Open on the blog',
  },
  old: (count: number) => `${count === 0 ? 'None' : number.format(count)} older than 7 days`,
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
  points: 'Values by week',
  numbers: 'Numbers',
  weekFrom: 'Week from',
  inWeeks: (count: number) => (count === 1 ? 'in one week' : `in ${count} weeks`),
  joining: 'Waitlist entries',
  noAnswersYet: 'No one has answered the quiz yet.',
  noMembersYet: 'No members yet.',
  jobs: {
    title: 'Scheduled jobs', // §10.4
    job: 'Job',
    state: 'Last run',
    last: 'When',
    schedule: {
      minutes: (every: string) => `Every ${every} minutes`,
      hourly: (minute: string) => `Every hour at :${minute.padStart(2, '0')}`,
      daily: (hour: string, minute: string) => `At ${hour}:${minute.padStart(2, '0')} UTC`,
      on: (when: string, days: readonly string[]) => `${when} on ${days.join(', ')}`,
      days: ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'],
    },
    none: 'No jobs are scheduled: pg_cron is not installed.',
    never: 'Not run yet',
    succeeded: 'Succeeded',
    failed: 'Failed',
    running: 'Running',
    failures: (failed: number, of: number) => `${failed} of ${of} before it failed`,
    names: {
      'certification-reminders': 'Certification reminders',
      'training-reminders': 'Training reminders',
      'weekly-digests': 'Weekly digests',
      'clean-up': 'Delete expired entries',
      'clean-up-runs': 'Delete old job runs',
      directory: 'Update the member directory',
    } as Record<string, string>,
  },
} as const
