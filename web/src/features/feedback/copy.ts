/** Every string of the feedback page (§2.23, §3.38). */
export const copy = {
  title: 'Feedback',
  lead: 'What is missing, what is broken, what helps? An operator reads everything.',
  category: 'About',
  categories: {
    general: 'In general',
    bug: 'Something is broken',
    feature: 'Something is missing',
    improvement: 'Something could be better',
    question: 'A question',
    other: 'Something else',
  },
  content: 'Your feedback',
  hint: 'Say what you did, what you expected and what happened.',
  missing: 'Please write something',
  tooLong: 'At most 5,000 characters',
  submit: 'Send feedback',
  submitting: 'Sending...',
  sent: { title: 'Feedback sent', text: 'Thank you. If an answer is needed, it comes to your e-mail address.' },
  again: 'Write more',
  failed: { title: 'Feedback was not sent', description: 'Please try again.', variant: 'destructive' },
} as const
