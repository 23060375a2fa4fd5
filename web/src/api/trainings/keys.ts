/** The query keys of trainings. */
export interface TrainingFilter {
  tab: 'upcoming' | 'mine' | 'past'
  /** A postal code, or online. */
  where: string | null
  kind: string | null
}

export const trainingKeys = {
  all: ['trainings'] as const,
  lists: () => [...trainingKeys.all, 'list'] as const,
  list: (filter: TrainingFilter) => [...trainingKeys.lists(), filter] as const,
  next: () => [...trainingKeys.all, 'next'] as const,
  one: (id: string) => [...trainingKeys.all, 'one', id] as const,
  attendees: (id: string) => [...trainingKeys.all, 'attendees', id] as const,
  position: (id: string) => [...trainingKeys.all, 'position', id] as const,
  // Apart: it does not change with the trainings.
  calendar: () => ['training-calendar'] as const,
}
