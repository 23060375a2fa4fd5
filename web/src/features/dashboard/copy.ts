/** Every string of the dashboard and of the member's own card. */
export const copy = {
  title: 'Dashboard',
  hello: (name: string) => `Hello, ${name}`,
  lead: (things: number) =>
    things === 0 ? 'Nothing is waiting for you.' : things === 1 ? 'One thing to do.' : `${things} things to do.`,
  firstSteps: 'Start with the steps below.',
  settings: 'Settings',
  plan: 'Growth plan',
  trainings: 'Trainings',
  saved: 'Saved',
  next: {
    title: 'Do this next',
    loading: 'Loading what’s next…',
    failed: 'Your next steps could not be loaded',
    done: 'You’re all caught up.',
    renew: (name: string) => `Renew ${name}`,
    expires: (day: string, days: number) =>
      days < 0
        ? `Expired ${day}. Already renewed?`
        : days === 0
          ? 'Expires today.'
          : days === 1
            ? 'Expires tomorrow.'
            : `Expires ${day}, in ${days} days.`,
    requests: (count: number) => ({
      title: count === 1 ? 'Answer a connection request' : `Answer ${count} connection requests`,
      text: 'They are waiting for you.',
      action: 'Answer',
    }),
    unread: (count: number) => ({
      title: count === 1 ? 'Read a new message' : `Read ${count} new messages`,
      text: 'From people in your network, or who want to be.',
      action: 'Read',
    }),
    connect: { title: 'Connect with someone you know', text: 'Start with your own department.', action: 'Find people' },
    profile: { title: 'Complete your profile', action: 'Complete it' },
    share: {
      title: 'Share a lesson from your last shift',
      text: 'Two sentences are enough.',
      action: 'Write a post',
    },
  },
  you: 'You',
  aside: 'People and training',
  expiring: {
    title: 'Certifications',
    loading: 'Loading your certifications…',
    failed: 'Your certifications could not be loaded',
    noDates: 'No certification with a date yet. Add one and you’ll see here when it expires.',
    edit: 'Edit',
    over: (day: string) => `Expired ${day}`,
    update: 'Update the date',
    next: 'Expires next',
    all: (count: number) => `All ${count}`,
    left: (days: number) => (days < 0 ? 'Expired' : days === 0 ? 'Today' : days === 1 ? '1 day' : `${days} days`),
    on: (day: string, over: boolean) => (over ? `expired ${day}` : `expires ${day}`),
  },
  profile: {
    title: 'Your profile',
    part: (filled: number, of: number) => `${filled} of ${of}`,
    next: 'Missing:',
    parts: {
      full_name: 'your name',
      position: 'position',
      department: 'department',
      bio: 'a few lines about you',
      years_of_service: 'years of service',
      firefighter_type: 'type of service',
      specialties: 'specialties',
      avatar_url: 'a photo',
    },
  },
  mostUseful: {
    title: 'Most useful',
    used: (count: number) => (count === 1 ? 'member will use your lesson' : 'members will use your lesson'),
    found: (count: number) => (count === 1 ? 'member found this useful:' : 'members found this useful:'),
  },
  activity: {
    title: 'Your activity',
    lead: 'Posts and comments by week',
    sentence: (total: number, weeks: number, most: number) =>
      total === 0
        ? `Nothing written in the last ${weeks} weeks.`
        : `${total} posts and comments in the last ${weeks} weeks, at most ${most} in one week.`,
    empty: 'Nothing written lately. Share a lesson from your last shift.',
    write: 'Write a post',
    loading: 'Loading your activity…',
    failed: 'Your activity could not be loaded',
    thisWeek: 'this week',
  },
} as const
