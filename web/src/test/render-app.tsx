/** The application at an address, with its providers, as a browser would open it. */
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
