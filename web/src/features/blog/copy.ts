/** Every string of the blog (§4.37, §7.55, §8.31-34, §8.46). */
export const copy = {
  title: 'From the field',
  lead: 'Lessons, drills and careers, written by people who were there.',
  empty: {
    title: 'Blog Coming Soon',
    text: "We're working on creating valuable content for firefighters. Check back soon for featured articles and resources.",
  }, // §4.37
  loading: 'Loading articles…',
  loadError: { title: 'Error loading blog posts', description: 'Please try again later.' }, // §8.32
  retry: 'Try again',
  anonymous: 'Anonymous', // §9.26
  readingTime: (minutes: number) => `${minutes} min read`,
  related: 'Read next',
  back: 'All articles',
  share: 'Share',
  shareText: (title: string) => `${title}, on Muster`,
  copied: { title: 'Link copied', description: 'The blog post link has been copied to your clipboard.' }, // §8.46
  copyError: {
    title: 'Error copying link',
    description: 'Unable to copy the link. Please try again.',
    variant: 'destructive',
  }, // §8.34
  notSignedIn: {
    title: 'Write the next one',
    text: 'Members write up what each call taught them. Seven quick questions get you in line.',
  },
} as const
