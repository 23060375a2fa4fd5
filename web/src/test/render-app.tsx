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
