/** A profile: the member's own, or another member's. */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Lock, Share } from 'lucide-react'
import type { ReactNode } from 'react'
import { nameOf } from '@/api/people/model'
import { useMemberId } from '@/api/session/auth-context'
import { Cover } from '@/components/art/cover'
import { Picture } from '@/components/files/picture'
import { LinkedText } from '@/components/ui/linked-text'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'
import { Button, LinkButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { EmptyState } from '@/components/ui/empty-state'
import { Failed } from '@/components/ui/failed'
import { Folded } from '@/components/ui/folded'
import { MenuItem } from '@/components/ui/menu'
import { SafetyMenuItems } from '@/components/safety-menu-items'
import { Skeleton, Loading } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { DocumentHead } from '@/components/document-head'
import { showToast } from '@/lib/toasts/toast'
import { formatCount } from '@/lib/format/numbers'
import { fileAt } from '@/lib/files/model'
import { shareLink } from '@/lib/browser/share-link'
import { isUuid } from '@/lib/format/uuid'
import { connectionCountQuery, lessonCountQuery, type ProfilePage, profilePageQuery } from '../api/queries'
import { copy } from '../copy'
import { headlineOf } from '../model'
import { EditAbout, EditProfile } from './edit-dialog'
import { Awards, Career, Certifications, Projects } from './lists'

async function share(profile: ProfilePage): Promise<void> {
  const url = `${window.location.origin}${paths.profileOf(profile.id)}`
  const shared = await shareLink({ title: nameOf(profile), url })
  if (shared === 'copied') showToast(copy.shared)
  if (shared === 'failed') showToast(copy.shareFailed)
}

function MenuItems({ profile, name }: { profile: ProfilePage; name: string }) {
  return (
    <>
      <MenuItem onSelect={() => void share(profile)}>
        <Share aria-hidden /> {copy.share}
      </MenuItem>
      <SafetyMenuItems subject={{ kind: 'profile', id: profile.id }} person={{ id: profile.id, name }} />
    </>
  )
}

/** Only what there is. */
function Figures({ profile }: { profile: ProfilePage }) {
  const connections = useQuery(connectionCountQuery(profile.id)).data
  const lessons = useQuery(lessonCountQuery(profile.id)).data
  const figures = [
    { value: profile.years_of_service, label: copy.figures.years },
    { value: connections, label: copy.figures.connections(connections ?? 0) },
    { value: lessons, label: copy.figures.lessons(lessons ?? 0) },
    { value: profile.certifications.length, label: copy.figures.certifications(profile.certifications.length) },
  ]
  return (
    <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-3 md:gap-x-8">
      {figures.map(
        ({ value, label }) =>
          value !== null &&
          value !== undefined &&
          value > 0 && (
            <div key={label} className="grid gap-1">
              <dt className="order-2 text-small text-muted">{label}</dt>
              <dd className="text-[1.25rem] type-figure md:text-[1.5rem]">{formatCount(value)}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

function About({ profile, own }: { profile: ProfilePage; own: boolean }) {
  const words = [...new Set([profile.firefighter_type, ...profile.specialties])].filter((one) => one !== null)
  return (
    <Card>
      <section aria-label={copy.about} className="grid grid-cols-1 gap-3 p-4 md:p-5">
        <header className="flex min-h-9 items-center justify-between gap-3">
          <h2 className="type-card">{copy.about}</h2>
          {own && <EditAbout profile={profile} />}
        </header>
        {profile.bio ? (
          <Folded lines={12}>
            <p dir="auto" className="max-w-[62ch] [overflow-wrap:anywhere] whitespace-pre-line">
              <LinkedText text={profile.bio} />
            </p>
          </Folded>
        ) : (
          <p className="text-small text-muted">{own ? copy.aboutEmpty : copy.aboutNothing}</p>
        )}
        {words.length > 0 && (
          <ul className="flex flex-wrap gap-2">
            {words.map((one) => (
              <li key={one} className="max-w-full">
                <Badge className="max-w-full">
                  <span className="truncate">{one}</span>
                </Badge>
              </li>
            ))}
          </ul>
        )}
      </section>
    </Card>
  )
}

function Skeletons() {
  return (
    <Loading label={copy.loading} className="grid gap-4">
      <Skeleton shape="card" className="h-36 w-full md:h-44" />
      <Skeleton className="h-9 w-64" />
      <Skeleton className="h-4 w-80 max-w-full" />
      <Skeleton shape="card" className="mt-4 h-40 w-full" />
    </Loading>
  )
}

interface Props {
  personId: string
  /** The actions the connection allows: connect, accept, message. */
  actions: ReactNode
  /** The menu about somebody else, with these entries. */
  menu: (items: ReactNode) => ReactNode
  /** The actions that remain when the profile is hidden: a request may still be pending. */
  hiddenActions: ReactNode
  /** The growth plan, and what connections say. */
  growth: ReactNode
  posts: ReactNode
}

const useProfilePage = (personId: string) => useQuery({ ...profilePageQuery(personId), enabled: isUuid(personId) })

export function ProfileView(props: Props) {
  const page = useProfilePage(props.personId)
  return (
    <>
      <DocumentHead title={page.data ? nameOf(page.data) : copy.title} />
      <ProfileStates page={page} {...props} />
    </>
  )
}

function ProfileStates({
  page,
  personId,
  actions,
  menu,
  hiddenActions,
  growth,
  posts,
}: Props & { page: ReturnType<typeof useProfilePage> }) {
  const own = useMemberId() === personId
  const isId = isUuid(personId)
  const profile = page.data
  const name = nameOf(profile)
  if (isId && page.isPending) return <Skeletons />
  if (!profile) {
    return (
      <Card>
        <h1 className="sr-only">{copy.title}</h1>
        {page.isError ? (
          <Failed title={copy.error.title} onRetry={() => void page.refetch()}>
            {copy.error.text}
          </Failed>
        ) : (
          <EmptyState
            glyph={<Lock />}
            title={copy.hidden.title}
            action={
              <div className="flex flex-wrap justify-center gap-2">
                {isId && hiddenActions}
                <LinkButton to={paths.network}>{copy.find}</LinkButton>
              </div>
            }
          >
            {copy.hidden.text}
          </EmptyState>
        )}
      </Card>
    )
  }
  const aside = own || profile.career_milestones.length > 0 || profile.awards.length > 0 || profile.projects.length > 0
  return (
    <>
      <header className="mb-6 grid grid-cols-1 gap-4">
        <div className="-mx-(--gutter) -mt-4 h-28 overflow-hidden md:mx-0 md:mt-0 md:h-36 md:rounded-card">
          {profile.cover_url ? (
            <Picture file={fileAt(profile.cover_url)} width={1280} className="size-full" />
          ) : (
            <Cover slug={profile.id} className="size-full" />
          )}
        </div>
        <div className="-mt-14 flex flex-wrap items-end gap-x-5 gap-y-3 md:-mt-12">
          <Avatar
            memberId={profile.id}
            name={profile.full_name}
            url={profile.avatar_url}
            size="xl"
            className="relative -ml-1 box-content self-start border-4 border-bg"
          />
          <div className="min-w-0 grow basis-64 md:pt-14">
            <h1 className="type-h1 [overflow-wrap:anywhere]">{name}</h1>
            <p className="[overflow-wrap:anywhere] text-muted">{headlineOf(profile)}</p>
          </div>
          <div className="flex flex-wrap items-center gap-2 max-md:basis-full max-md:[&>[data-slot=badge]]:me-[calc(100%-8rem)] max-md:[&>[data-slot=button]:not([aria-label])]:grow">
            {actions}
            {own && <EditProfile profile={profile} />}
            {own ? (
              <Button size="icon" aria-label={copy.share} onClick={() => void share(profile)}>
                <Share aria-hidden />
              </Button>
            ) : (
              menu(<MenuItems profile={profile} name={name} />)
            )}
          </div>
        </div>
        <Figures profile={profile} />
      </header>
      <div
        className={clsx(
          'grid grid-cols-1 items-start gap-x-6 gap-y-4',
          aside && 'lg:grid-cols-[minmax(0,1fr)_18.5rem]',
        )}
      >
        <div className="grid min-w-0 grid-cols-1 gap-4">
          <About profile={profile} own={own} />
          {growth}
          <Certifications profile={profile} own={own} />
          {posts}
        </div>
        {aside && (
          <aside className="grid min-w-0 grid-cols-1 gap-4" aria-label={`${name}, career and awards`}>
            <Career profile={profile} own={own} />
            <Awards profile={profile} own={own} />
            <Projects profile={profile} own={own} />
          </aside>
        )}
      </div>
    </>
  )
}
