/** The avatar menu (§2.28). */
import { useQuery } from '@tanstack/react-query'
import { Bookmark, CalendarDays, LayoutDashboard, LogOut, Settings, ShieldCheck, Target } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { isAdminQuery } from '@/api/profiles/queries'
import { useAuth } from '@/api/session/auth-context'
import { Avatar } from '@/components/ui/avatar'
import { Confirm } from '@/components/ui/confirm'
import { Menu, MenuContent, MenuItem, MenuLabel, MenuSeparator, MenuTrigger } from '@/components/ui/menu'
import { Skeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { copy } from '@/lib/device/outbox/copy'
import { useOutbox } from '@/lib/device/outbox/use-outbox'

const words = copy.signOut

interface Props {
  memberId: string
  /** Null until the profile is read. */
  name: string | null
  email: string
  avatarUrl: string | null
}

export function AccountMenu({ memberId, name, email, avatarUrl }: Props) {
  const { signOut } = useAuth()
  const unsent = useOutbox().entries.length
  const [asking, setAsking] = useState(false)
  const check = useQuery(isAdminQuery(memberId))
  const isAdmin = check.isSuccess && check.data // a failed refetch keeps the last data
  return (
    <>
      <Menu>
        <MenuTrigger className="flex min-h-11 items-center gap-2.5 rounded-control px-1.5 text-bar-text hover:bg-bar-hover data-[state=open]:bg-bar-hover md:min-h-10">
          {name === null ? (
            <>
              <Skeleton shape="avatar" className="size-8 opacity-30" />
              <Skeleton className="h-4 w-24 opacity-30 max-lg:hidden" />
            </>
          ) : (
            <>
              <Avatar memberId={memberId} name={name} url={avatarUrl} size="sm" />
              <span data-slot="own-name" className="max-w-36 truncate text-ui font-[560] max-lg:sr-only">
                {name}
              </span>
            </>
          )}
          <span className="sr-only">{name === null ? 'Account menu' : ', account menu'}</span>
        </MenuTrigger>
        <MenuContent className="w-64" sideOffset={17}>
          <MenuLabel className="px-3 py-2">
            <span className="block truncate type-name">{name}</span>
            <span className="block truncate text-small text-muted">{email}</span>
          </MenuLabel>
          <MenuSeparator />
          <MenuItem asChild>
            <Link to={paths.dashboard}>
              <LayoutDashboard aria-hidden /> Dashboard
            </Link>
          </MenuItem>
          <MenuItem asChild>
            <Link to={paths.plan}>
              <Target aria-hidden /> Growth plan
            </Link>
          </MenuItem>
          <MenuItem asChild>
            <Link to={paths.trainings}>
              <CalendarDays aria-hidden /> Trainings
            </Link>
          </MenuItem>
          <MenuItem asChild>
            <Link to={paths.saved}>
              <Bookmark aria-hidden /> Saved
            </Link>
          </MenuItem>
          <MenuItem asChild>
            <Link to={paths.settings}>
              <Settings aria-hidden /> Basic Settings
            </Link>
          </MenuItem>
          {isAdmin && (
            <MenuItem asChild>
              <Link to={paths.admin}>
                <ShieldCheck aria-hidden /> Admin Dashboard
              </Link>
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem onSelect={() => (unsent > 0 ? setAsking(true) : void signOut())}>
            <LogOut aria-hidden /> Sign Out
          </MenuItem>
        </MenuContent>
      </Menu>
      <Confirm
        title={words.title(unsent)}
        description={words.text}
        action={words.action}
        safe={words.stay}
        onConfirm={() => void signOut()}
        open={asking}
        onOpenChange={setAsking}
      />
    </>
  )
}
