/** Certifications, awards, career and projects, read-only. */
import clsx from 'clsx'
import { Award, Plus, ShieldCheck, TriangleAlert } from 'lucide-react'
import { Children, Fragment, type ReactNode } from 'react'
import { Cover } from '@/components/art/cover'
import { byExpiry, validityOf } from '@/api/profiles/certifications'
import { Badge } from '@/components/ui/badge'
import { Folded } from '@/components/ui/folded'
import { useFirst } from '@/components/ui/use-first'
import { FileLink } from '@/components/files/file-link'
import { Gallery } from '@/components/files/gallery'
import { Picture } from '@/components/files/picture'
import { useNow } from '@/lib/browser/use-now'
import { fileAt, isPdf } from '@/lib/files/model'
import type { ProfilePage } from '../api/queries'
import { copy } from '../copy'
import { formatDay } from '../model'
import { AskedCertification } from './asked-certification'
import { EditEntry, EntryCard } from './entry-card'
import { EntryDialog } from './entry-dialog'
import { OpenScan } from './open-scan'
import { LifeBar } from './life-bar'

interface Props {
  profile: ProfilePage
  own: boolean
}

const strings = copy.validity

function Validity({ issuedOn, expiresOn }: { issuedOn: string | null; expiresOn: string | null }) {
  const validity = validityOf(expiresOn, useNow())
  if (validity.kind === 'soon') {
    return (
      <Badge variant="warning">
        <TriangleAlert aria-hidden /> {strings.soon(validity.days)}
      </Badge>
    )
  }
  if (validity.kind === 'expired') return <Badge variant="destructive">{strings.expired}</Badge>
  if (validity.kind === 'current') return <Badge variant="success">{strings.current}</Badge>
  return <Badge>{issuedOn ? strings.held(issuedOn.slice(0, 4)) : strings.none}</Badge>
}

/** Facts in a row, each followed by its separator, so that no line starts with one; a date is never broken. */
function Facts({ children }: { children: ReactNode }) {
  const said = Children.toArray(children).filter(Boolean)
  if (said.length === 0) return null
  return (
    <p className="text-small [overflow-wrap:anywhere] text-muted">
      {said.map((fact, index) => (
        <Fragment key={index}>
          {fact}
          {index < said.length - 1 && '\u00a0· '}
        </Fragment>
      ))}
    </p>
  )
}

function Paragraph({ text, className }: { text: string | null; className: string }) {
  if (!text) return null
  return (
    <Folded lines={6} className={clsx('text-small', className)}>
      <p dir="auto" className="[overflow-wrap:anywhere] whitespace-pre-line">
        {text}
      </p>
    </Folded>
  )
}

const Day = ({ day, word }: { day: string; word?: (day: string) => string }) => (
  <span className="whitespace-nowrap">{word ? word(formatDay(day)) : formatDay(day)}</span>
)

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

/** Of one's own certification: others never see it. */
const Scan = ({ address, name }: { address: string; name: string }) => (
  <span className="w-16 shrink-0" title={copy.scan.only}>
    <Gallery pictures={[{ ...fileAt(address), alt: copy.scan.of(name) }]} />
  </span>
)

/** In the place of the scan, where there is none. */
const AddScan = ({ row }: { row: { id: string; name: string } }) => (
  <EntryDialog list="certifications" row={row} focus="scan_url">
    <button
      type="button"
      aria-label={copy.scan.add(row.name)}
      className="grid h-11 w-16 shrink-0 place-items-center rounded-control border border-dashed border-line-strong text-muted hover:bg-sunken hover:text-ink"
    >
      <Plus aria-hidden className="size-5" />
    </button>
  </EntryDialog>
)

export function Certifications({ profile, own }: Props) {
  const now = useNow()
  const { shown, more } = useFirst(byExpiry(profile.certifications, now), own ? Infinity : 6, copy.all)
  return (
    <EntryCard list="certifications" own={own} isEmpty={shown.length === 0} more={more}>
      {own && <AskedCertification profile={profile} />}
      <ul className={clsx('divide-y divide-line', !more && '-mb-3')}>
        {shown.map((row) => (
          <li key={row.id} className="flex items-start gap-3 py-3">
            {own && row.scan_url && !isPdf(row.scan_url) ? (
              <Scan address={row.scan_url} name={row.name} />
            ) : own && !row.scan_url ? (
              <AddScan row={row} />
            ) : (
              <ShieldCheck aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" strokeWidth={1.75} />
            )}
            <div className="grid min-w-0 grow grid-cols-1 gap-1.5">
              <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
                <p className="min-w-0 text-ui type-name [overflow-wrap:anywhere]">{row.name}</p>
                <Validity issuedOn={row.issued_on} expiresOn={row.expires_on} />
              </div>
              <Facts>
                {row.expires_on ? (
                  <Day
                    day={row.expires_on}
                    word={validityOf(row.expires_on, now).kind === 'expired' ? strings.was : strings.until}
                  />
                ) : (
                  row.issued_on && strings.none
                )}
                {row.issuer}
                {row.credential_id}
              </Facts>
              <LifeBar issuedOn={row.issued_on} expiresOn={row.expires_on} />
              {!own && row.scan_url && <OpenScan certificationId={row.id} name={row.name} />}
              {own && row.scan_url && isPdf(row.scan_url) && (
                <span>
                  <FileLink address={row.scan_url} name={`${row.name}.pdf`} label={copy.scan.pdf} />
                </span>
              )}
            </div>
            {own && <EditEntry list="certifications" row={row} name={row.name} />}
          </li>
        ))}
      </ul>
    </EntryCard>
  )
}

export function Awards({ profile, own }: Props) {
  const { shown, more } = useFirst(profile.awards, own ? Infinity : 4, copy.all)
  return (
    <EntryCard list="awards" own={own} isEmpty={shown.length === 0} more={more}>
      <ul className="grid grid-cols-1 gap-3">
        {shown.map((row) => (
          <li key={row.id} className="flex items-start gap-3">
            <Award aria-hidden className="mt-0.5 size-5 shrink-0 text-muted" strokeWidth={1.75} />
            <div className="min-w-0 grow [overflow-wrap:anywhere]">
              <p className="text-ui type-name">{row.title}</p>
              <Facts>
                {row.awarded_by}
                {row.awarded_on && <Day day={row.awarded_on} />}
              </Facts>
              <Paragraph text={row.description} className="mt-1" />
            </div>
            {own && <EditEntry list="awards" row={row} name={row.title} />}
          </li>
        ))}
      </ul>
    </EntryCard>
  )
}

export function Career({ profile, own }: Props) {
  const { shown, more } = useFirst(profile.career_milestones, own ? Infinity : 5, copy.all)
  return (
    <EntryCard list="career_milestones" own={own} isEmpty={shown.length === 0} more={more}>
      <ol className="grid grid-cols-1">
        {shown.map((row, index) => (
          <li key={row.id} className="grid grid-cols-[1rem_minmax(0,1fr)] gap-x-3">
            <span aria-hidden className="relative grid justify-items-center">
              <i
                className={clsx(
                  'mt-1.5 h-2.5 w-3 slant border-2',
                  row.is_current ? 'border-ember bg-ember' : 'border-line-strong bg-surface',
                )}
              />
              {index < shown.length - 1 && <i className="absolute top-5 bottom-0 w-px bg-line" />}
            </span>
            <div className={clsx('min-w-0 [overflow-wrap:anywhere]', index < shown.length - 1 && 'pb-5')}>
              <p className="pt-1 type-mark text-muted">
                {row.started_on.slice(0, 4)}
                {row.is_current && copy.toPresent}
              </p>
              <div className="flex items-start justify-between gap-2">
                <p className="min-w-0 text-ui type-name">
                  <Breakable text={row.title} />
                </p>
                {own && (
                  <span className="-my-1.5">
                    <EditEntry list="career_milestones" row={row} name={row.title} />
                  </span>
                )}
              </div>
              <Facts>{row.organization}</Facts>
              <Paragraph text={row.description} className="text-muted" />
            </div>
          </li>
        ))}
      </ol>
    </EntryCard>
  )
}

export function Projects({ profile, own }: Props) {
  const { shown, more } = useFirst(profile.projects, own ? Infinity : 4, copy.all)
  return (
    <EntryCard list="projects" own={own} isEmpty={shown.length === 0} more={more}>
      <ul className={clsx('divide-y divide-line', !more && '-mb-3')}>
        {shown.map((row) => (
          <li key={row.id} className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-2 py-3">
            {row.featured_image ? (
              <Picture
                file={fileAt(row.featured_image)}
                width={640}
                className="col-span-full aspect-video w-full rounded-control"
              />
            ) : (
              <Cover slug={row.id} className="col-span-full aspect-video w-full overflow-hidden rounded-control" />
            )}
            <div className="min-w-0 [overflow-wrap:anywhere]">
              <p className="text-ui type-name">
                {row.link ? (
                  <a href={row.link} target="_blank" rel="noopener noreferrer nofollow" className="link-inline">
                    {row.title}
                  </a>
                ) : (
                  row.title
                )}
              </p>
              <Facts>
                {row.started_on && <Day day={row.started_on} />}
                {row.ended_on && <Day day={row.ended_on} word={strings.to} />}
              </Facts>
            </div>
            {own && <EditEntry list="projects" row={row} name={row.title} />}
            <Paragraph text={row.description} className="col-span-full text-muted" />
          </li>
        ))}
      </ul>
    </EntryCard>
  )
}
