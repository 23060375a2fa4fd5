/** Certifications, awards, career and projects as they are read. */
import clsx from 'clsx'
import { Award, ShieldCheck, TriangleAlert } from 'lucide-react'
import { Fragment } from 'react'
import { Cover } from '@/components/art/cover'
import { validityOf } from '@/api/profiles/certifications'
import { Badge } from '@/components/ui/badge'
import type { ProfilePage } from '../api/queries'
import { copy } from '../copy'
import { formatDay } from '../model'
import { EditEntry, EntryCard } from './entry-card'

interface Props {
  profile: ProfilePage
  own: boolean
}

const words = copy.validity

function Validity({ expiresOn }: { expiresOn: string | null }) {
  const validity = validityOf(expiresOn, new Date())
  if (validity.kind === 'soon') {
    return (
      <Badge variant="warning">
        <TriangleAlert aria-hidden /> {words.soon(validity.days)}
      </Badge>
    )
  }
  if (validity.kind === 'expired') return <Badge variant="destructive">{words.expired}</Badge>
  if (validity.kind === 'current') return <Badge variant="success">{words.current}</Badge>
  return <Badge>{words.none}</Badge>
}

const line = (...parts: (string | null | false)[]) => parts.filter(Boolean).join(' · ')

/** `Firefighter/Paramedic` breaks at the slash, not within a word. */
const Breakable = ({ text }: { text: string }) =>
  text.split('/').map((part, index) => (
    <Fragment key={index}>
      {index > 0 && (
        <>
          /<wbr />
        </>
      )}
      {part}
    </Fragment>
  ))

export function Certifications({ profile, own }: Props) {
  return (
    <EntryCard list="certifications" own={own} isEmpty={profile.certifications.length === 0}>
      <ul className="divide-y divide-line">
        {profile.certifications.map((row) => (
          <li key={row.id} className="flex items-start gap-3 py-3 sm:items-center">
            <ShieldCheck aria-hidden className="size-5 shrink-0 text-muted max-sm:mt-0.5" strokeWidth={1.75} />
            <div className="flex min-w-0 grow flex-col items-start gap-x-3 gap-y-2 sm:flex-row sm:items-center">
              <div className="min-w-0 grow">
                <p className="text-ui type-name [overflow-wrap:anywhere]">{row.name}</p>
                <p className="text-small [overflow-wrap:anywhere] text-muted">
                  {line(row.issuer, row.credential_id, row.expires_on && words.to(formatDay(row.expires_on)))}
                </p>
              </div>
              <Validity expiresOn={row.expires_on} />
            </div>
            {own && <EditEntry list="certifications" row={row} name={row.name} />}
          </li>
        ))}
      </ul>
    </EntryCard>
  )
}

export function Awards({ profile, own }: Props) {
  return (
    <EntryCard list="awards" own={own} isEmpty={profile.awards.length === 0}>
      <ul className="grid grid-cols-1 gap-3">
        {profile.awards.map((row) => (
          <li key={row.id} className="flex items-start gap-3">
            <Award aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" strokeWidth={1.75} />
            <div className="min-w-0 grow [overflow-wrap:anywhere]">
              <p className="text-ui type-name">{row.title}</p>
              <p className="text-small text-muted">{line(row.awarded_by, formatDay(row.awarded_on))}</p>
              {row.description && <p className="mt-1 text-small whitespace-pre-line">{row.description}</p>}
            </div>
            {own && <EditEntry list="awards" row={row} name={row.title} />}
          </li>
        ))}
      </ul>
    </EntryCard>
  )
}

export function Career({ profile, own }: Props) {
  return (
    <EntryCard list="career_milestones" own={own} isEmpty={profile.career_milestones.length === 0}>
      <ol className="grid grid-cols-1">
        {profile.career_milestones.map((row, index) => (
          <li key={row.id} className="grid grid-cols-[3rem_1rem_minmax(0,1fr)_auto] gap-x-3">
            <span className="pt-1 text-ui type-figure">{row.started_on.slice(0, 4)}</span>
            <span aria-hidden className="relative grid justify-items-center">
              <i
                className={clsx(
                  'mt-1.5 h-2.5 w-3 slant border-2',
                  row.is_current ? 'border-ember bg-ember' : 'border-line-strong bg-surface',
                )}
              />
              {index < profile.career_milestones.length - 1 && <i className="absolute top-5 bottom-0 w-px bg-line" />}
            </span>
            <div
              className={clsx(
                'min-w-0 [overflow-wrap:anywhere]',
                index < profile.career_milestones.length - 1 && 'pb-5',
              )}
            >
              <p className="text-ui type-name">
                <Breakable text={row.title} />
              </p>
              <p className="text-small text-muted">{line(row.organization, row.is_current && copy.present)}</p>
              {row.description && <p className="text-small whitespace-pre-line text-muted">{row.description}</p>}
            </div>
            {own && <EditEntry list="career_milestones" row={row} name={row.title} />}
          </li>
        ))}
      </ol>
    </EntryCard>
  )
}

export function Projects({ profile, own }: Props) {
  return (
    <EntryCard list="projects" own={own} isEmpty={profile.projects.length === 0}>
      <ul className="divide-y divide-line">
        {profile.projects.map((row) => (
          <li key={row.id} className="flex items-start gap-4 py-3">
            {row.featured_image ? (
              <img
                src={row.featured_image}
                alt=""
                loading="lazy"
                referrerPolicy="no-referrer"
                className="aspect-video w-28 shrink-0 rounded-control object-cover md:w-34"
              />
            ) : (
              <Cover slug={row.id} className="aspect-video w-28 shrink-0 overflow-hidden rounded-control md:w-34" />
            )}
            <div className="min-w-0 grow [overflow-wrap:anywhere]">
              <p className="text-ui type-name">
                {row.link ? (
                  <a href={row.link} target="_blank" rel="noopener noreferrer nofollow" className="hover:underline">
                    {row.title}
                  </a>
                ) : (
                  row.title
                )}
              </p>
              <p className="text-small text-muted">
                {line(formatDay(row.started_on), row.ended_on && words.to(formatDay(row.ended_on)))}
              </p>
              {row.description && <p className="text-small whitespace-pre-line text-muted">{row.description}</p>}
            </div>
            {own && <EditEntry list="projects" row={row} name={row.title} />}
          </li>
        ))}
      </ul>
    </EntryCard>
  )
}
