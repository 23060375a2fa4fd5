/** Any other path: the 404 page (§2.53). */
export { NotFound as Component } from '@/features/not-found/components/not-found'
