/** Every string of the waitlist (§4.31-36, §5.1-11, §8.22-30, §8.40). */
export const copy = {
  open: 'Join Our Waitlist',
  title: 'Join Our Waitlist', // §2.11
  step: (step: number, of: number) => `Step ${step} of ${of}`,
  next: 'Next',
  back: 'Back',
  submit: 'Join Waitlist', // §4.31
  submitting: 'Adding...', // §4.31
  success: {
    title: "You're officially on the waitlist!", // §4.32
    thanks: 'Thanks for helping shape something better for the fire service.', // §4.33
    soon: "We'll be in touch soon with early access and updates.", // §4.34
    follow: 'Follow along while you wait',
    share: 'Send this to your crew',
    shareTitle: 'Join me on the Muster waitlist',
    shareText: 'A growth network for firefighters. Seven quick questions get you in line.',
    shareCopied: { title: 'Link copied', description: 'Paste it in your group text.' },
    shareFailed: {
      title: 'The link couldn’t be copied',
      description: 'Send your crew to this page’s address.',
      variant: 'destructive',
    },
    close: 'Close', // §4.36
  },
  member: {
    text: 'You already have a seat. This list is for people who don’t have one yet.',
    link: 'Go to the feed',
  },
  tag: {
    title: 'Your tag so far',
    text: 'A few questions, and it goes on the board.',
    joined: 'You’re on the board',
    invite: 'Bring your crew. There’s room.',
    you: 'You',
  },
  invalid: {
    type: 'Please select your firefighter type', // §5.3
    typeOther: 'Please specify your firefighter type', // §5.3
    rank: 'Please enter your current rank or role', // §5.4
    years: 'Please select your years of service', // §5.5
    platforms: 'Please select at least one option', // §5.6
    platformOther: 'Please specify the other platform', // §5.6
    frustrations: 'Please share your frustrations with these platforms', // §5.7
    wishlist: 'Please tell us what would make a new platform worth your time', // §5.8
    email: 'Please enter a valid email address', // §5.9
  },
  unexpected: 'An unexpected error occurred. Please try again.', // §8.30
  toasts: {
    invalidEmail: {
      title: 'Invalid email',
      description: 'Please enter a valid email address',
      variant: 'destructive',
      id: 'invalid-email',
    }, // §5.1
    joined: {
      title: 'Success!',
      description: "You've been added to our waitlist. We'll notify you when you're invited.",
    }, // §8.40
    alreadyInvited: {
      title: 'Already invited',
      description: 'This email has already been invited to join. Please check your inbox.',
    }, // §8.23
    alreadyListed: {
      title: 'Already on waitlist',
      description: "This email is already on our waitlist. We'll notify you when you're invited.",
    }, // §8.24
    surveyNotSaved: {
      title: 'Note',
      description: "Your survey answers couldn't be saved, but your place on the waitlist is not affected.",
    }, // §8.25
    failed: {
      title: 'Submission failed',
      description: "We couldn't add you to the waitlist. Please try again later.",
      variant: 'destructive',
    }, // §8.26
    waitlistError: { title: 'Waitlist Error', fallback: 'Could not add to waitlist' }, // §8.27
    databaseError: {
      title: 'Database Error',
      survey: 'Could not save quiz responses',
      operation: 'Database operation failed',
    }, // §8.28
    known: { title: 'Thanks for your interest!', description: 'We already have your email on our waitlist.' }, // §8.29
    submissionError: { title: 'Submission error' }, // §8.30
  },
  questions: {
    1: { title: 'What kind of firefighter are you?', hint: 'Choose the one that fits best.' },
    2: { title: 'What’s your current rank or role?', hint: 'Whatever it says on your helmet shield.' },
    3: { title: 'How long have you been in the fire service?', hint: 'Add up every department.' },
    4: { title: 'Where do you connect with other firefighters today?', hint: 'Choose all that apply.' },
    5: { title: 'What frustrates you about those platforms?', hint: 'A sentence is enough. Be blunt.' },
    6: { title: 'What would make a new platform worth your time?', hint: 'One thing you’d come back for.' },
    7: { title: 'Where should we email you when your seat is ready?', hint: 'We only email about early access.' },
  },
  fields: {
    typeOther: 'Which type?',
    rank: 'Current rank or role',
    platformOther: 'Which other platform?',
    frustrations: 'Your frustrations',
    wishlist: 'What would make it worth your time',
    email: 'Email',
  },
  placeholders: {
    typeOther: 'For example, airport',
    rank: 'For example, Engineer, Engine 41',
    platformOther: 'For example, a union forum',
    email: 'you@department.org',
  },
} as const

/** §3.35-37: values as stored, labels as read. */
export const options = {
  firefighterType: [
    ['career', 'Career'],
    ['volunteer', 'Volunteer'],
    ['wildland', 'Wildland'],
    ['industrial', 'Industrial'],
    ['military', 'Military'],
    ['retired', 'Retired'],
    ['other', 'Other'],
  ],
  years: [
    ['less-than-1', 'Less than 1 year'],
    ['1-5', '1 to 5 years'],
    ['6-10', '6 to 10 years'],
    ['11-20', '11 to 20 years'],
    ['more-than-20', 'More than 20 years'],
  ],
  platforms: [
    ['facebook', 'Facebook groups'],
    ['reddit', 'Reddit'],
    ['instagram_tiktok', 'Instagram or TikTok'],
    ['linkedin', 'LinkedIn'],
    ['messaging', 'Messaging apps'],
    ['department', 'Department tools'],
    ['nowhere', 'Nowhere yet'],
    ['other', 'Other'],
  ],
} as const
