/** Renders the application at a path, with its providers. */
import { render } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { Providers } from '@/app/providers'
import { routes } from '@/app/router'

export function renderApp(address: string) {
  const router = createMemoryRouter(routes, { initialEntries: [address] })
  render(
    <Providers goToLogin={() => void router.navigate('/login', { replace: true })}>
      <RouterProvider router={router} />
    </Providers>,
  )
  return router
}

const pages = import.meta.glob('../app/routes/*.tsx')

/** Loads pages of members before the tests that draw them: lazy imports are slow on a busy machine. */
export const preloadPages = (...names: readonly string[]) =>
  Promise.all([import('@/app/layouts/member-layout'), ...names.map((name) => pages[`../app/routes/${name}.tsx`]!())])
