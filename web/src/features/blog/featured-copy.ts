/** Strings of the landing page's articles section, separate from the blog's, which load later. */
export const featuredCopy = {
  title: 'From the blog',
  viewAll: 'View All', // §2.1
} as const
