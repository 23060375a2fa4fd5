import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router-dom'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { counterKey } from '@/features/not-found/model'
import { renderApp } from '@/test/render-app'
import { probeHandler, rest, server, withServer } from '@/test/server'
import { AdminBlogError } from './layouts/admin-blog-error'
import { routes } from './router'

withServer()
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  server.use(
    probeHandler,
    http.get(rest('posts'), () => HttpResponse.json([])),
  )
})

describe('the buttons of the 404 page', () => {
  it('§2.56 an admin path leads to the Admin Dashboard, any other path to the Home Page', async () => {
    renderApp('/admin/nowhere')
    expect(await screen.findByRole('heading', { name: 'Admin area not found' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Admin Dashboard' })).toHaveAttribute('href', '/admin')
    expect(screen.queryByRole('link', { name: 'Home Page' })).not.toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Retry Loading Admin Blog' })).not.toBeInTheDocument()
  })

  it('§2.57 a blog path leads to all posts', async () => {
    const user = userEvent.setup()
    const router = renderApp('/blog/none')
    expect(await screen.findByRole('link', { name: 'Home Page' })).toHaveAttribute('href', '/')
    await user.click(screen.getByRole('link', { name: 'Browse All Posts' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/blog'))
  })

  it('§2.58 Retry Loading Admin Blog goes to /admin and, after a delay, back, with the counter reset', async () => {
    const user = userEvent.setup()
    const path = '/admin/blog/draft'
    localStorage.setItem(counterKey(path), '6')
    const router = renderApp(path)
    const places: string[] = []
    router.subscribe(({ location }) => places.push(location.pathname))
    expect(await screen.findByRole('heading', { name: 'Admin blog unavailable' })).toBeInTheDocument()
    await waitFor(() => expect(localStorage.getItem(counterKey(path))).toBe('7')) // counted after the page renders
    await user.click(screen.getByRole('button', { name: 'Retry Loading Admin Blog' }))
    await waitFor(() => expect(places).toContain('/admin'))
    await waitFor(() => expect(router.state.location.pathname).toBe(path))
    expect(places.indexOf('/admin')).toBeLessThan(places.lastIndexOf(path))
    await waitFor(() => expect(localStorage.getItem(counterKey(path))).toBe('1'))
  })

  it('§8.37 a retry that fails shows an error', async () => {
    const user = userEvent.setup()
    renderApp('/admin/blog/draft')
    const retry = await screen.findByRole('button', { name: 'Retry Loading Admin Blog' })
    vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(() => {
      throw new Error('storage is gone')
    })
    await user.click(retry)
    expect(await screen.findByText('Failed to reload the page. Please try again.')).toBeInTheDocument()
    expect(screen.getByText('Error')).toBeInTheDocument()
  })
})

it('§2.51 the blog module of the admin area has its own error screen', async () => {
  const Broken = () => {
    throw new Error('no module')
  }
  render(
    <RouterProvider router={createMemoryRouter([{ path: '/', Component: Broken, ErrorBoundary: AdminBlogError }])} />,
  )
  expect(await screen.findByRole('heading', { name: 'Module Loading Error' })).toBeInTheDocument()
  expect(screen.getByText('no module')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Reload Module' })).toBeInTheDocument()
  expect(screen.getByRole('link', { name: 'Return to Dashboard' })).toHaveAttribute('href', '/admin')
})

it('§2.52 every page is lazy: no route imports its page', () => {
  const pages = (list: typeof routes): typeof routes => list.flatMap((one) => [one, ...pages(one.children ?? [])])
  const withAddress = pages(routes).filter((route) => !route.children)
  expect(withAddress.length).toBeGreaterThan(25)
  for (const route of withAddress) {
    expect(route.lazy, route.path).toBeTypeOf('function')
    expect(route.Component ?? route.element, route.path).toBeUndefined()
  }
})
