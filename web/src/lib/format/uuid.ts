/** Whether a text is a valid id for the database; requests are skipped for anything else in a URL. Pure. */
export const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
