/** What the database takes for an id: anything else in an address names nothing, and is not asked for. Pure. */
export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
