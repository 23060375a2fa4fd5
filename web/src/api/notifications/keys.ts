/** The root of everything cached about notifications: settings make it stale too. */
export const notificationsRoot = ['notifications'] as const
