/** Texts about connections (§8.19, §8.42-45). */
export const copy = {
  sent: { title: 'Connection request sent' }, // §8.42
  accepted: { title: 'Connection accepted', description: 'You are now connected with this user.' }, // §8.43
  declined: { title: 'Connection declined' }, // §8.44
  removed: { title: 'Connection removed' }, // §8.45
  withdrawn: { title: 'Connection request withdrawn' },
  requestFailed: { title: 'Request failed', variant: 'destructive' }, // §8.19
  actionFailed: { title: 'Action failed', variant: 'destructive' }, // §8.19
  tryAgain: 'Please try again.',
  notifications: {
    requested: (name: string) => `${name} wants to connect`,
    requestedText: (unit: string) => unit || 'Accept or decline the request.',
    accepted: (name: string) => `${name} accepted your request`,
    acceptedText: 'You are now connected.',
  },
} as const
