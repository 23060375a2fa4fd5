export const safetyKeys = {
  all: ['safety'] as const,
  list: (which: 'blocks' | 'mutes') => [...safetyKeys.all, which] as const,
  decision: (code: string) => [...safetyKeys.all, 'decision', code] as const,
}
