/** The member's own avatar beside what they write; until the profile is read, its shape alone. */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { nameOf } from '@/api/people/model'
import { profileQuery } from '@/api/profiles/queries'
import { useMemberId } from '@/api/session/auth-context'
import { Avatar } from '@/components/ui/avatar'
import { Skeleton } from '@/components/ui/skeleton'

const sizes = { sm: 'size-8', md: 'size-10' }

export function OwnAvatar({ size = 'md', className }: { size?: keyof typeof sizes; className?: string }) {
  const memberId = useMemberId()
  const { data: me, isPending } = useQuery(profileQuery(memberId))
  if (isPending) return <Skeleton shape="avatar" className={clsx('shrink-0', sizes[size], className)} />
  return (
    <Avatar
      memberId={memberId}
      name={nameOf(me)}
      url={me?.avatar_url}
      size={size}
      {...(className ? { className } : {})}
    />
  )
}
