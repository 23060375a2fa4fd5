/** Is there room for the third column? What is not drawn is not fetched either. */
import { useMedia } from './media'

export const useIsWide = () => useMedia('(min-width: 1100px)')
