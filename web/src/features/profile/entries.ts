/** The four lists of a profile as data: the fields of each and how the form shows them. */

export type ListName = 'certifications' | 'awards' | 'career_milestones' | 'projects'

export interface EntryField {
  name: string
  label: string
  kind: 'text' | 'long' | 'day' | 'link' | 'picture' | 'scan' | 'yes-no'
  required?: boolean
  most?: number
}

export interface ListSpec {
  title: string
  one: string
  /** Shown to the owner when the list is empty. */
  empty: string
  fields: readonly EntryField[]
  /** A date that must not be before another. */
  order?: readonly [string, string]
}

export const specs: Record<ListName, ListSpec> = {
  certifications: {
    title: 'Certifications',
    one: 'certification',
    empty: 'Add the certifications you hold and when they expire.',
    fields: [
      { name: 'name', label: 'Name', kind: 'text', required: true, most: 160 },
      { name: 'issuer', label: 'Issued by', kind: 'text', most: 160 },
      { name: 'credential_id', label: 'Certificate number', kind: 'text', most: 120 },
      { name: 'issued_on', label: 'Issued on', kind: 'day' },
      { name: 'expires_on', label: 'Expires on', kind: 'day' },
      { name: 'scan_url', label: 'Scan', kind: 'scan' },
    ],
    order: ['issued_on', 'expires_on'],
  },
  awards: {
    title: 'Awards',
    one: 'award',
    empty: 'Add what you were recognized for.',
    fields: [
      { name: 'title', label: 'Title', kind: 'text', required: true, most: 160 },
      { name: 'awarded_by', label: 'Awarded by', kind: 'text', most: 160 },
      { name: 'awarded_on', label: 'Awarded on', kind: 'day' },
      { name: 'description', label: 'Reason', kind: 'long', most: 1000 },
    ],
  },
  career_milestones: {
    title: 'Career',
    one: 'milestone',
    empty: 'Add where you started and where you are.',
    fields: [
      { name: 'title', label: 'Position', kind: 'text', required: true, most: 160 },
      { name: 'organization', label: 'Department', kind: 'text', most: 160 },
      { name: 'started_on', label: 'Started', kind: 'day', required: true },
      { name: 'is_current', label: 'Current position', kind: 'yes-no' },
      { name: 'description', label: 'Description', kind: 'long', most: 1000 },
    ],
  },
  projects: {
    title: 'Projects',
    one: 'project',
    empty: 'Show what you work on beyond the shift.',
    fields: [
      { name: 'title', label: 'Title', kind: 'text', required: true, most: 160 },
      { name: 'description', label: 'Description', kind: 'long', most: 2000 },
      { name: 'link', label: 'Link', kind: 'link', most: 2048 },
      { name: 'featured_image', label: 'Photo', kind: 'picture' },
      { name: 'started_on', label: 'Started on', kind: 'day' },
      { name: 'ended_on', label: 'Ended on', kind: 'day' },
    ],
    order: ['started_on', 'ended_on'],
  },
}

export type EntryValues = Record<string, string | boolean>

/** The row to send: empty strings become null, booleans stay. */
export const toRow = (fields: readonly EntryField[], values: EntryValues) =>
  Object.fromEntries<string | boolean | null>(
    fields.map(({ name, kind }) => [name, kind === 'yes-no' ? values[name] === true : values[name] || null]),
  )

export const toValues = (fields: readonly EntryField[], row: Record<string, unknown> | undefined): EntryValues =>
  Object.fromEntries<string | boolean>(
    fields.map(({ name, kind }) => {
      const value = row?.[name]
      if (kind === 'yes-no') return [name, value === true]
      return [name, typeof value === 'string' ? value : '']
    }),
  )
