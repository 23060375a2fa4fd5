/** Tags of posts, as the database stores them. Pure. */

export const mostTags = 5
export const longestTag = 40

/** One way to write a tag: lower case, single spaces, without commas and number signs. */
export const tagOf = (typed: string): string =>
  typed
    .replace(/[\s,#]+/gu, ' ')
    .trim()
    .toLowerCase()

/** With one more, if there is room for it, and it is new and short. */
export const withTag = (tags: readonly string[], typed: string): string[] => {
  const tag = tagOf(typed)
  const fits = tag !== '' && tag.length <= longestTag && !tags.includes(tag) && tags.length < mostTags
  return fits ? [...tags, tag] : [...tags]
}

/** An element of an array literal of PostgreSQL: a tag may contain its quotes and braces. */
export const arrayOf = (tag: string) => `{"${tag.replace(/["\\]/g, String.raw`\$&`)}"}`
