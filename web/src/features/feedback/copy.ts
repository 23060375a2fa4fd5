/** Every string of the feedback page (§2.23, §3.38). */
export const copy = {
  title: 'Feedback',
  lead: 'What’s missing, what’s broken, what helps? We read every message.',
  category: 'Topic',
  categories: {
    general: 'General',
    bug: 'Something is broken',
    feature: 'Something is missing',
    improvement: 'Improvement',
    question: 'A question',
    other: 'Something else',
  },
  content: 'Your feedback',
  hint: 'What did you do, what did you expect, and what happened?',
  missing: 'Please write something',
  tooLong: 'At most 5,000 characters',
  submit: 'Send feedback',
  submitting: 'Sending…',
  sent: { title: 'Feedback sent', text: 'Thank you. We’ll reply by email if needed.' },
  again: 'Send more feedback',
  failed: { title: 'Your feedback wasn’t sent', description: 'Please try again.', variant: 'destructive' },
} as const
