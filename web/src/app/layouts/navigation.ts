/** The five navigation items of the member area (§2.18-25). */
import {
  Flag,
  House,
  Mail,
  MessagesSquare,
  MessageSquareText,
  Newspaper,
  User,
  UserRound,
  Users,
  UsersRound,
} from 'lucide-react'
import { paths } from '@/config/paths'

/** §2.24: desktop and mobile use different icons. */
export const navigationItems = [
  { to: paths.feed, label: 'Home', desktopIcon: Newspaper, mobileIcon: House, exact: true, badge: null },
  { to: paths.profile, label: 'Profile', desktopIcon: UserRound, mobileIcon: User, exact: false, badge: null },
  { to: paths.network, label: 'Network', desktopIcon: UsersRound, mobileIcon: Users, exact: false, badge: 'requests' },
  {
    to: paths.messages,
    label: 'Messages',
    desktopIcon: MessagesSquare,
    mobileIcon: Mail,
    exact: false,
    badge: 'unread',
  },
  {
    to: paths.feedback,
    label: 'Feedback',
    desktopIcon: MessageSquareText,
    mobileIcon: Flag,
    exact: false,
    badge: null,
  },
] as const

/** §2.25: the path itself or anything that starts with it; /feed only exactly. */
export const isCurrent = (pathname: string, to: string, exact: boolean) =>
  exact ? pathname === to : pathname === to || pathname.startsWith(to)
