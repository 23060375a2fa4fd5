/** The navigation items of the admin area (§2.47-48). */
import {
  Activity,
  Bell,
  FileText,
  Flag,
  History,
  House,
  ListChecks,
  type LucideIcon,
  Pencil,
  Settings,
  ShieldAlert,
  SlidersHorizontal,
  Target,
  Users,
} from 'lucide-react'

export interface NavigationItem {
  to: string
  label: string
  icon: LucideIcon
  badge: 'waitlist' | 'feedback' | 'reports' | null
}

export const adminNavigationItems: readonly NavigationItem[] = [
  { to: '/admin', label: 'Dashboard', icon: House, badge: null },
  { to: '/admin/users', label: 'Users', icon: Users, badge: null },
  { to: '/admin/waitlist', label: 'Waitlist', icon: ListChecks, badge: 'waitlist' },
  { to: '/admin/reports', label: 'Moderation', icon: ShieldAlert, badge: 'reports' },
  { to: '/admin/feedback', label: 'Feedback', icon: Flag, badge: 'feedback' },
  { to: '/admin/goals', label: 'Goals', icon: Target, badge: null },
  { to: '/admin/blog', label: 'Blog', icon: Pencil, badge: null },
  { to: '/admin/notification-tester', label: 'Notification Tester', icon: Bell, badge: null },
  { to: '/admin/audit', label: 'Audit log', icon: History, badge: null },
]

/** §2.48: listed as coming soon, without a link. */
export const placeholders = [
  { label: 'Activity', icon: Activity },
  { label: 'Reports', icon: FileText },
  { label: 'System', icon: SlidersHorizontal },
  { label: 'Settings', icon: Settings },
] as const

/** §2.41: /admin and /admin/dashboard are one page. */
export const isCurrentItem = (pathname: string, to: string) => {
  const here = pathname.replace(/\/+$/, '')
  if (to === '/admin') return here === '/admin' || here === '/admin/dashboard'
  return here === to || here.startsWith(`${to}/`)
}
