/** Every string of the blog (§4.37, §7.55, §8.31-34, §8.46). */
export const copy = {
  documentTitle: 'Blog: From the field',
  eyebrow: 'The Muster blog',
  title: 'From the field',
  lead: 'Lessons, drills and careers, written by people who were there.',
  empty: {
    title: 'Blog Coming Soon',
    text: "We're working on creating valuable content for firefighters. Check back soon for featured articles and resources.",
  }, // §4.37
  loading: 'Loading articles…',
  loadError: { title: 'Error loading blog posts', description: 'Please try again later.' }, // §8.32
  retry: 'Try again',
  topics: 'Topics',
  everything: 'Everything',
  search: 'Search articles',
  searching: 'Searching…',
  nothing: {
    title: 'No articles found',
    text: 'Try fewer or different words.',
    topic: 'Nothing is filed under this topic yet.',
    all: 'Show everything',
  },
  found: (count: number) => (count === 1 ? '1 article' : `${count} articles`),
  older: 'Older articles',
  loadingOlder: 'Loading…',
  shownOf: (shown: number, total: number) => `1 to ${shown} of ${total}`,
  anonymous: 'Anonymous', // §9.26
  readingTime: (minutes: number) => `${minutes} min read`,
  related: 'Read next',
  whileYouWait: 'Read while you wait',
  breadcrumb: 'Breadcrumb',
  blog: 'Blog',
  contents: 'In this article',
  aboutAuthor: 'About the author',
  moreBy: (name: string) => `More by ${name}`,
  tags: 'Tags',
  share: 'Share',
  shareText: (title: string) => `${title}, on Muster`,
  copied: { title: 'Link copied', description: 'The blog post link has been copied to your clipboard.' }, // §8.46
  copyError: {
    title: 'Error copying link',
    description: 'Unable to copy the link. Please try again.',
    variant: 'destructive',
  }, // §8.34
  notSignedIn: {
    title: 'Got one like it?',
    text: 'Members write up what each call taught them. Seven quick questions get you in line.',
  },
} as const
