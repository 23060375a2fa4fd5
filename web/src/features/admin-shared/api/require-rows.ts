/** The database passes over rows that one may not touch: when none was hit, that is an error. */
import { adminCopy } from '../copy'

export function requireRows<Row>(rows: Row[]): Row[] {
  if (rows.length === 0) throw new Error(adminCopy.nothingDone)
  return rows
}
