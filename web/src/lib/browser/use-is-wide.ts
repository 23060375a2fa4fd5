/** Whether there is room for the third column. When it is not rendered, its data is not fetched. */
import { useMedia } from './media'

export const useIsWide = () => useMedia('(min-width: 1100px)')
