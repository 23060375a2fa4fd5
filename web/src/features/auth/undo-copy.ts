/** Every string of the page that a security mail leads to (§15.4). */
const events: Record<string, (detail: string) => string> = {
  password_changed: () => 'The password was changed',
  email_changed: (detail) => `The email address was changed to ${detail}`,
  factor_added: (detail) => `A second factor was added: ${detail || 'a passkey or app'}`,
  factor_removed: (detail) => `A second factor was removed: ${detail || 'a passkey or app'}`,
  codes_made: () => 'New recovery codes were made',
  code_used: () => 'A recovery code was used to sign in',
  new_device: () => 'Someone signed in',
}

export const undoCopy = {
  title: 'Wasn’t this you?',
  lead: (name: string) => (name ? `This is about ${name}’s account.` : 'This is about your account.'),
  loading: 'Looking at your link…',
  failed: 'We couldn’t check your link. Please try again.',
  retry: 'Try again',
  event: (kind: string, detail: string) => (events[kind] ?? (() => 'Something was changed'))(detail),
  from: (device: string, network: string) => [device, network].filter(Boolean).join(' · '),
  later: 'And what came after',
  consequences:
    'Undoing takes all of this back as far as we can. Everyone is signed out, including you, and the password stops working. You’ll choose a new one by email.',
  undo: 'Undo it',
  undoing: 'Undoing…',
  undoFailed: 'That wasn’t undone. Please try again.',
  keep: 'It was me, keep it',
  done: {
    title: 'Undone',
    lead: 'Everyone is signed out, and the old password no longer works.',
    next: (email: string) => `Choose a new password. The link goes to ${email}.`,
    action: 'Choose a new password',
    without:
      'Another account has your address by now, so this one has none: nobody can get into it. Write to us, and we’ll sort it out.',
    write: 'Write to us',
  },
  gone: {
    title: 'This link doesn’t work anymore',
    lead: 'Each link works once, within 7 days, and only when it’s complete. If someone else is in your account, choose a new password. That signs them out.',
    action: 'Choose a new password',
  },
} as const
