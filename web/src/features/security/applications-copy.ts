/** Every string of the applications that may use a member's account: the consent page and their list (§15.6). */
const error = (title: string) => ({ title, variant: 'destructive' }) as const

export const applicationsCopy = {
  /** An application that gave itself no name. */
  unnamed: 'An application',
  consent: {
    title: 'Allow an application?',
    /** The name is the application's own claim: it is quoted. */
    heading: (name: string) => `Allow “${name}” to use your account?`,
    lead: 'The name is what it calls itself. Look at where it takes you.',
    loading: 'Looking at the request…',
    failed: 'The request could not be read',
    account: 'Your account',
    place: 'Takes you to',
    thisDevice: 'A program on this device',
    /** An address such as `com.example.app:`, which opens an installed application. */
    installed: (scheme: string) => `An application on this device (${scheme})`,
    may: 'It will be able to',
    mayNot: 'It won’t get your password. It can’t open the admin area or delete your account.',
    everything: 'Read, write and change what you can here, in your name: posts, messages, your profile',
    scopes: {
      openid: 'Know that it’s you',
      email: 'See your email address',
      profile: 'See your name and picture',
      phone: 'See your phone number',
      offline_access: 'Stay connected when you’re away',
    } as Readonly<Record<string, string>>,
    until: 'You can disconnect it at any time in Settings, Security.',
    approve: 'Allow',
    approving: 'Allowing…',
    deny: 'Don’t allow',
    denying: 'One moment…',
    answerFailed: 'Your answer wasn’t saved. Please try again.',
    retry: 'Try again',
  },
  leaving: {
    title: 'On your way',
    lead: (place: string) => `Taking you to ${place}. If nothing happens, go back to the application yourself.`,
    go: 'Go there now',
  },
  gone: {
    title: 'This request doesn’t work anymore',
    lead: 'It works once, for ten minutes, and for one account. Go back to the application and start again there.',
    action: 'Go to your feed',
  },
  unsafe: {
    title: 'We stopped here',
    lead: 'This application asked to take you to an address that isn’t safe to open. It got no access. Don’t use it, and tell us about it.',
    action: 'Write to us',
  },
  list: {
    title: 'Applications',
    lead: 'They can use your account. Disconnecting one ends its access at once.',
    none: 'None yet.',
    may: (words: readonly string[], date: string) => [...words, `since ${date}`].join(' · '),
    scopes: {
      openid: 'Knows it’s you',
      email: 'Email',
      profile: 'Name and picture',
      phone: 'Phone',
      offline_access: 'Stays connected',
    } as Readonly<Record<string, string>>,
    end: 'Disconnect',
    endOf: (name: string) => `Disconnect ${name}`,
    endTitle: (name: string) => `Disconnect “${name}”?`,
    endText: 'It can no longer read or write in your name. You can allow it again later.',
    ended: (name: string) => `Disconnected: ${name}`,
    failed: error('It could not be disconnected'),
    loadFailed: 'Your applications could not be loaded',
  },
} as const
