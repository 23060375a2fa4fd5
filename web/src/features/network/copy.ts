/** Every string of the network screen (§2.36, §5.14-15, §8.19). */
import { limits } from '@/config/limits'

export const copy = {
  title: 'Network',
  tabs: {
    connections: 'Connections',
    'pending-requests': 'Pending requests',
    'requests-made': 'Requests made',
  },
  tabList: 'Connections and requests',
  waiting: 'waiting',
  loading: 'Loading your connections…',
  error: {
    title: 'Error fetching connections',
    description: 'An error occurred while fetching your connections.',
  }, // §8.19
  empty: {
    connections: {
      title: 'No connections yet',
      text: 'Search for someone you have worked with.',
      action: 'Search people',
    },
    'pending-requests': {
      title: 'No requests waiting',
      text: 'Requests to connect will appear here.',
      action: null,
    },
    'requests-made': {
      title: 'No open requests',
      text: 'Search for people and ask them to connect.',
      action: 'Search people',
    },
  },
  more: 'Load more',
  loadingMore: 'Loading…',
  search: {
    label: 'Search people',
    placeholder: 'Name or email',
    submit: 'Search',
    clear: 'Clear',
    results: 'Search results',
    matches: (count: number, term: string) =>
      count >= limits.searchResults
        ? `The best ${count} matches for “${term}”`
        : `${count === 1 ? '1 person matches' : `${count} people match`} “${term}”`,
    loading: 'Searching…',
    tooShort: {
      title: 'Search term too short',
      description: 'Please enter at least 2 characters to search.',
      refused: true,
    }, // §5.14
    signedOut: {
      title: 'Authentication required',
      description: 'You must be logged in to search for connections.',
      refused: true,
    }, // §5.15
    failed: { title: 'Search failed', description: 'Please try again.' }, // §8.19
    none: { title: 'No users found', text: (term: string) => `No users matching "${term}" were found.` }, // §8.19
  },
  suggestions: 'People you may know',
  hidden: 'User',
  actions: {
    connect: 'Connect',
    connectWith: (name: string) => `Connect with ${name}`,
    accept: 'Accept',
    decline: 'Decline',
    withdraw: 'Withdraw request',
    remove: 'Remove connection',
    more: (name: string) => `More about ${name}`,
    message: 'Message',
    connected: 'Connected',
    requested: 'Requested',
    declined: 'Declined',
    /** Not sent yet. */
    done: {
      request: (name: string) => `You asked ${name} to connect`,
      accept: (name: string) => `You accepted ${name}’s request`,
      decline: (name: string) => `You declined ${name}’s request`,
      remove: (name: string) => `You removed ${name}`,
    },
  },
  confirmRemove: {
    title: (name: string) => `Remove ${name}?`,
    text: 'You will both lose the connection. Messages stay.',
    safe: 'Keep',
    action: 'Remove connection',
  },
} as const
