export const securityKeys = {
  all: ['security'] as const,
  factors: ['security', 'factors'] as const,
  codes: ['security', 'codes'] as const,
  sessions: ['security', 'sessions'] as const,
  grants: ['security', 'grants'] as const,
}
