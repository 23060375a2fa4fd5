/** Grid layout shared by the articles and their skeletons. */
export const headGrid =
  'page grid grid-cols-[minmax(0,1fr)] gap-5 pt-4 pb-6 lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)] lg:items-center lg:gap-12 lg:py-14'
export const bodyGrid =
  'page grid grid-cols-[minmax(0,1fr)] gap-6 pt-5 lg:pt-8 lg:grid-cols-[17rem_minmax(0,1fr)] lg:gap-12'

/** Three articles in two columns: the last spans both, with its picture beside its text. */
const lastOfThree = [
  'sm:max-lg:[&>:nth-child(3):last-child]:col-span-full',
  'sm:max-lg:[&>:nth-child(3):last-child]:grid-cols-2',
  'sm:max-lg:[&>:nth-child(3):last-child]:items-center',
  'sm:max-lg:[&>:nth-child(3):last-child]:gap-x-6',
].join(' ')
export const columns = `grid gap-x-6 gap-y-10 sm:grid-cols-2 lg:grid-cols-3 ${lastOfThree}`
