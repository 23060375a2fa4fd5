/** A value of a PostgREST filter, in quotes: matches the text anywhere. Pure. */
export const containing = (text: string) => `"%${text.replace(/[\\%_]/g, '\\$&').replace(/["\\]/g, '\\$&')}%"`
