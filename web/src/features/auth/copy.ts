/** Every string of the authentication pages: sign-in, registration, recovery, confirmation, invitation. */
export const copy = {
  fields: {
    email: 'Email',
    password: 'Password',
    newPassword: 'New password',
    name: 'Full name',
  },
  invalid: {
    email: 'Enter your email address, like you@department.org',
    password: 'Enter your password',
    name: 'Enter your full name',
    code: 'Enter the 6-digit code from the email',
    weak: 'Use at least 8 characters, and make it harder to guess',
  },
  show: 'Show password',
  hide: 'Hide password',
  login: {
    title: 'Sign In',
    lead: 'Welcome back.',
    description: 'Sign in to Muster, the growth network for firefighters.',
    submit: 'Sign In',
    submitting: 'Signing in...',
    forgot: 'Forgot your password?',
    link: 'Email me a sign-in link',
    linkSubmitting: 'Sending...',
    noAccount: 'No account yet?',
    register: 'Register',
    linkSent: (email: string) =>
      `If ${email} belongs to a member, a sign-in link is on its way. Tap it, or enter the code here.`,
    confirmed: 'Your email is confirmed. You can sign in now.',
  },
  register: {
    title: 'Register',
    lead: 'Your name, the way it reads on your tag.',
    description: 'Create your account on Muster, the growth network for firefighters.',
    submit: 'Create account',
    submitting: 'Creating...',
    haveAccount: 'Already a member?',
    signIn: 'Sign In',
    invited: (email: string) => `Set up your account as ${email}.`,
    checkMail: {
      title: 'Check your inbox',
      text: (email: string) =>
        `We sent a link and a code to ${email}. Tap the link, or enter the code here, and you’re in.`,
      again: 'Send it again',
      sending: 'Sending...',
      sent: 'Sent again. Give it a minute.',
    },
  },
  code: {
    label: '6-digit code',
    submit: 'Continue',
    submitting: 'Checking...',
    wrong: 'That code is wrong or has expired. Check it, or request a new one.',
    another: 'Use a different email',
  },
  forgot: {
    title: 'Reset your password',
    lead: 'We’ll email you a link to set a new one.',
    submit: 'Send the link',
    submitting: 'Sending...',
    sent: (email: string) =>
      `If ${email} belongs to a member, a link to set a new password is on its way. Tap it, or enter the code here.`,
    back: 'Back to Sign In',
  },
  newPassword: {
    title: 'Choose a new password',
    lead: 'Your old one stops working right away.',
    submit: 'Save password',
    submitting: 'Saving...',
    done: { title: 'Password changed', description: 'You are signed in with the new one.' },
    noSession: 'Use the link in your password reset email to open this page.',
  },
  callback: {
    working: 'Signing you in…',
    failedTitle: 'That link didn’t work',
    expired: 'This link has expired or was already used. Sign in to get a new one.',
    otherBrowser:
      'You requested it in a different browser. If it was to confirm your email, that worked: sign in here. Otherwise enter the code from that email in the browser you started in.',
    missing: 'That link is missing a piece. Open it from the email again, or copy all of it.',
    firstOfTwo: {
      title: 'One of two confirmed',
      description: 'Now tap the link in the email to your other address. Until then, sign in the way you always have.',
    },
    asksTitle: 'Sign in as someone else?',
    asks: (email: string) =>
      `You’re signed in as ${email}. This link signs you in to a different account. If you didn’t request it, stay.`,
    goOn: 'Use the link',
    stay: 'Stay signed in',
    toLogin: 'Go to Sign In',
    newLink: 'Reset your password',
  },
  invitation: {
    title: 'Your seat is ready',
    ask: 'Which email did we invite? We’ll look it up.',
    check: 'Check my invitation',
    checking: 'Checking...',
    looking: 'Looking up your invitation…',
    otherAddress: 'Use a different email',
    unknown: {
      title: 'No invitation for this email',
      text: (email: string) =>
        `We don’t have an invitation for ${email}. Check the spelling, or join the waitlist and we’ll email you when your seat is ready.`,
    },
    waiting: {
      title: 'You’re on the waitlist',
      text: (email: string) =>
        `${email} is on the list, but not invited yet. We’ll email you as soon as your seat is ready.`,
    },
    used: {
      title: 'This invitation was already used',
      text: (email: string) => `${email} already has an account. Sign in, or reset your password if you forgot it.`,
    },
    expired: {
      title: 'This invitation has expired',
      text: 'Links work once, for a short time. We kept your seat: enter your email and register with it.',
    },
    ranOut: {
      title: 'This invitation has expired',
      text: (email: string) =>
        `The one for ${email} was good for 14 days. We kept your seat: request a new one and we’ll send it.`,
      ask: 'Request a new invitation',
      asking: 'Requesting...',
      requested: 'Got it. We’ll email you when your seat is ready again.',
      failed: 'We couldn’t send that. Please try again.',
    },
    failed: 'We couldn’t check that invitation. Please try again.',
    join: 'Join Our Waitlist',
  },
  errors: {
    credentials: 'That email and password don’t match. Try again or reset your password.',
    unconfirmed: 'You haven’t confirmed this email yet. Tap the link in the email we sent, or request a new one.',
    exists: 'This email already has an account. Sign in instead.',
    weak: 'That password is too easy to guess. Choose a longer one.',
    same: 'That’s the password you have now. Choose a different one.',
    rate: 'Too many tries. Wait a minute and try again.',
    closed: 'Muster is invitation-only right now. Join the waitlist and we’ll email you when your seat is ready.',
    network: 'Can’t reach Muster. Check your connection and try again.',
    banned: 'This account is suspended. Contact the site’s administrators.',
    unknown: 'That didn’t work. Please try again.',
  },
  strength: {
    label: 'Password strength',
    levels: ['Too short', 'Weak', 'Fair', 'Good', 'Strong'],
    hint: 'Three or four unrelated words make a good one.',
  },
} as const
