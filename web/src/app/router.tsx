/** Every URL and its page (§2). Pages are loaded on the first visit (§2.52). */
import type { ComponentType } from 'react'
import { createBrowserRouter, type RouteObject } from 'react-router-dom'
import { importHandled } from '@/lib/browser/handled-import'
import { BootScreen } from './layouts/boot-screen'
import { PublicLayout } from './layouts/public-layout'
import { RootLayout } from './layouts/root-layout'
import { DocumentError, MemberLayoutError, PageError, RouterError } from './recovery/route-errors'

/**
 * Routes inside a layout that is loaded when it is needed. The error boundary is a parent's: on the very route whose
 * script does not load, the router would draw nothing.
 */
const inLayout = (
  lazy: () => Promise<{ Component: ComponentType }>,
  ErrorBoundary: ComponentType,
  children: RouteObject[],
): RouteObject => ({ ErrorBoundary, children: [{ lazy, children }] })

/** Routes that use the query client: all but the landing page's first screen. */
const withData = (ErrorBoundary: ComponentType, children: RouteObject[]): RouteObject =>
  inLayout(() => import('./layouts/data-layout'), ErrorBoundary, children)

/** Pages in the public layout. */
export const publicPages: RouteObject[] = [
  { index: true, lazy: () => import('./routes/landing') },
  withData(PageError, [
    { path: 'login', lazy: () => import('./routes/login') },
    { path: 'register', lazy: () => import('./routes/register') },
    { path: 'forgot-password', lazy: () => import('./routes/forgot-password') },
    { path: 'new-password', lazy: () => import('./routes/new-password') },
    { path: 'auth/callback', lazy: () => import('./routes/auth-callback') },
    { path: 'invitation', lazy: () => import('./routes/invitation') },
    { path: 'blog', lazy: () => import('./routes/blog') },
    { path: 'blog/:slug', lazy: () => import('./routes/blog-post') },
    { path: 'guidelines', lazy: () => import('./routes/guidelines') },
    { path: 'verify', lazy: () => import('./routes/verify') },
    { path: 'verify/:code', lazy: () => import('./routes/verify') },
    { path: 'undo', lazy: () => import('./routes/undo') },
    { path: 'appeal/:code', lazy: () => import('./routes/appeal') },
  ]),
]

/** Pages behind the guard, in the member layout (§2.16). */
export const memberPages: RouteObject[] = [
  { path: 'dashboard', lazy: () => import('./routes/dashboard') },
  { path: 'search', lazy: () => import('./routes/search') },
  { path: 'saved', lazy: () => import('./routes/saved') },
  { path: 'plan', lazy: () => import('./routes/plan') },
  { path: 'plan/:userId', lazy: () => import('./routes/plan') },
  { path: 'trainings', lazy: () => import('./routes/trainings') },
  { path: 'trainings/:id', lazy: () => import('./routes/training') },
  { path: 'feed', lazy: () => import('./routes/feed') },
  { path: 'post/:id', lazy: () => import('./routes/post') },
  { path: 'profile', lazy: () => import('./routes/profile') },
  { path: 'profile/:userId', lazy: () => import('./routes/profile') },
  { path: 'network', lazy: () => import('./routes/network') },
  { path: 'messages', lazy: () => import('./routes/messages') },
  { path: 'notifications', lazy: () => import('./routes/notifications') },
  { path: 'feedback', lazy: () => import('./routes/feedback') },
  { path: 'settings', lazy: () => import('./routes/settings') },
  { path: 'settings/notifications', lazy: () => import('./routes/settings-notifications') },
  { path: 'settings/mentions', lazy: () => import('./routes/settings-mentions') },
  { path: 'settings/safety', lazy: () => import('./routes/settings-safety') },
  { path: 'settings/security', lazy: () => import('./routes/settings-security') },
]

const memberArea = inLayout(() => import('./layouts/member-layout'), MemberLayoutError, [
  { ErrorBoundary: PageError, children: memberPages },
])

/** Pages of the admin area; each is loaded on the first visit (§2.52). */
const adminPages: RouteObject[] = [
  { index: true, lazy: () => import('./routes/admin-dashboard') },
  { path: 'dashboard', lazy: () => import('./routes/admin-dashboard') },
  { path: 'users', lazy: () => import('./routes/admin-users') },
  { path: 'waitlist', lazy: () => import('./routes/admin-waitlist') },
  { path: 'reports', lazy: () => import('./routes/admin-reports') },
  { path: 'feedback', lazy: () => import('./routes/admin-feedback') },
  { path: 'goals', lazy: () => import('./routes/admin-goals') },
  { path: 'audit', lazy: () => import('./routes/admin-audit') },
  {
    // Comes with the layout: it must be there when the page's script isn't.
    lazy: async () => ({ ErrorBoundary: (await import('./layouts/admin-layout')).AdminBlogError }),
    children: [{ path: 'blog', lazy: () => importHandled(() => import('./routes/admin-blog')) }],
  },
  { path: 'notification-tester', lazy: () => import('./routes/admin-notification-tester') },
]

const adminArea: RouteObject = {
  path: 'admin',
  children: [
    inLayout(() => import('./layouts/admin-layout'), DocumentError, [
      { ErrorBoundary: PageError, children: adminPages },
    ]),
    { path: '*', lazy: () => import('./routes/admin-not-found') },
  ],
}

export const routes: RouteObject[] = [
  {
    path: '/',
    Component: RootLayout,
    ErrorBoundary: RouterError,
    HydrateFallback: BootScreen,
    children: [
      { Component: PublicLayout, children: [{ ErrorBoundary: PageError, children: publicPages }] },
      withData(DocumentError, [
        { path: 'quiz', lazy: () => import('./routes/quiz') },
        {
          ErrorBoundary: PageError,
          children: [{ path: 'oauth/consent', lazy: () => import('./routes/oauth-consent') }],
        },
        memberArea,
        adminArea,
        inLayout(() => import('./layouts/not-found-layout'), DocumentError, [
          { ErrorBoundary: PageError, children: [{ path: '*', lazy: () => import('./routes/not-found') }] },
        ]),
      ]),
    ],
  },
]

/** The router calls the first entry of every document "default", and would open one where another was left. */
function nameFirstEntry() {
  const state = window.history.state as { key?: string } | null
  if (!state?.key) window.history.replaceState({ ...state, key: Math.random().toString(36).slice(2, 10) }, '')
}

export function makeRouter() {
  nameFirstEntry()
  return createBrowserRouter(routes)
}
