/** Cache keys that more than one feature must spell alike. */
export const sharedKeys = {
  adminWaitlist: ['admin', 'waitlist'] as const, // §7.33
  profile: (memberId: string) => ['profiles', memberId] as const,
  isAdmin: (memberId: string) => ['is-admin', memberId] as const,
}
