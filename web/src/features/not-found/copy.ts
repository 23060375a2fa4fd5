/** Every string of the not-found page (§2.53-58, §8.35-37). */
export const copy = {
  contexts: {
    'admin-blog': {
      title: 'Admin blog unavailable',
      text: 'This page of the blog admin isn’t available. Check the link or try again.',
    },
    admin: {
      title: 'Admin area not found',
      text: 'There is no page at this address. Check the link.',
    },
    blog: { title: 'Blog post not found', text: 'This article doesn’t exist or isn’t public anymore.' },
    page: {
      title: 'Page not found',
      text: 'There’s nothing at this address. It may have moved, or the link may be missing a piece.',
    },
  },
  goBack: 'Go Back', // §2.55
  adminDashboard: 'Admin Dashboard', // §2.56
  homePage: 'Home Page', // §2.56
  browse: 'Browse All Posts', // §2.57
  retry: 'Retry Loading Admin Blog', // §2.58
  repeated: {
    title: 'Navigation Issue Detected',
    description: "We've noticed repeated problems with this page. Our team has been notified.",
    variant: 'destructive',
    id: 'not-found',
  }, // §8.36
  retryFailed: { title: 'Error', description: 'Failed to reload the page. Please try again.', variant: 'destructive' }, // §8.37
} as const
