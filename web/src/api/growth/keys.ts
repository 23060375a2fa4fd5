/** The query keys of growth plans. */
export const growthKeys = {
  all: ['growth'] as const,
  plan: (memberId: string) => [...growthKeys.all, 'plan', memberId] as const,
  goals: () => [...growthKeys.all, 'goals'] as const,
  proofs: (memberId: string) => [...growthKeys.all, 'proofs', memberId] as const,
}
