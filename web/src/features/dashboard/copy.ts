/** Every string of the dashboard and of the member's own card. */
export const copy = {
  title: 'Dashboard',
  hello: (name: string) => `Hello, ${name}`,
  lead: 'Today, in one look.',
  figures: {
    requests: 'Requests waiting',
    messages: 'Unread messages',
    notifications: 'New notifications',
    connections: 'Connections',
  },
  you: 'You',
  expiring: {
    title: 'Certifications',
    loading: 'Loading your certifications…',
    failed: 'Your certifications could not be loaded',
    none: 'Nothing expires in the next 90 days.',
    soon: (days: number) =>
      days === 0 ? 'Expires today' : days === 1 ? 'Expires tomorrow' : `Expires in ${days} days`,
    expired: 'Expired',
    until: (day: string) => `Valid until ${day}. Already renewed?`,
    since: (day: string) => `Expired ${day}. Already renewed?`,
    update: 'Update the date',
    more: (count: number) => `Update dates (${count} more)`,
  },
  profile: {
    title: 'Your profile',
    done: 'Everything is filled in.',
    share: (filled: number, of: number) => `${filled} of ${of} parts filled in`,
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
    edit: 'Complete your profile',
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
  alone: {
    title: 'Your network',
    text: 'No connections yet. Search for someone you have worked with.',
    find: 'Find people',
  },
} as const
