/** The query keys of the member administration. */
import { adminKeys } from '@/features/admin-shared/api/keys'

export const memberKeys = {
  figures: (id: string) => [...adminKeys.members, 'figures', id] as const,
  auditLog: (filter: object) => [...adminKeys.auditLog, filter] as const,
}
