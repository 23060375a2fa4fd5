/** Grid layout shared by articles and their skeletons. */

/** Three articles in two columns: the last spans both, with its picture beside its text. */
const lastOfThree = [
  'sm:max-lg:[&>:nth-child(3):last-child]:col-span-full',
  'sm:max-lg:[&>:nth-child(3):last-child]:grid-cols-2',
  'sm:max-lg:[&>:nth-child(3):last-child]:items-center',
  'sm:max-lg:[&>:nth-child(3):last-child]:gap-x-6',
].join(' ')
export const columns = `grid gap-x-6 gap-y-10 sm:grid-cols-2 lg:grid-cols-3 ${lastOfThree}`
