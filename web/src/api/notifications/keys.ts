/** The root key of all cached notifications: changed settings invalidate it. */
export const notificationsRoot = ['notifications'] as const
