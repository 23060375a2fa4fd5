/** RLS silently skips rows the user may not change: no affected row is an error. */
import { adminCopy } from '../copy'

export function requireRows<Row>(rows: Row[]): Row[] {
  if (rows.length === 0) throw new Error(adminCopy.nothingDone)
  return rows
}
