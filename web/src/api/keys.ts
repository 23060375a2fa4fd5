/** Query keys shared by more than one feature. */
export const sharedKeys = {
  adminWaitlist: ['admin', 'waitlist'] as const, // §7.33
  profile: (memberId: string) => ['profiles', memberId] as const,
  isAdmin: (memberId: string) => ['is-admin', memberId] as const,
}
