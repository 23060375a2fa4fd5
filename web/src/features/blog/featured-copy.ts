/** The words above the articles of the landing page, apart from those of the blog, which it loads later. */
export const featuredCopy = {
  title: 'From the blog',
  viewAll: 'View All', // §2.1
} as const
