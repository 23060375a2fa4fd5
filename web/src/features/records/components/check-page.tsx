/** The check of a record by its code, for everybody (§16.6). */
import { useMutation, useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Ban, Check as Tick, FileQuestion, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { DocumentHead } from '@/components/document-head'
import { Avatar } from '@/components/ui/avatar'
import { Badge, type BadgeVariant } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Failed } from '@/components/ui/failed'
import { FieldError, Input } from '@/components/ui/field'
import { Loading, Skeleton } from '@/components/ui/skeleton'
import { paths } from '@/config/paths'
import { rejectionMessage } from '@/lib/supabase/errors'
import { formatDate, formatSpan } from '@/lib/format/dates'
import { states } from '@/lib/format/states'
import { checkQuery, checkRecord } from '../api/queries'
import { copy } from '../copy'
import { type Check, type CheckedCertification, codeOf, datesOf, dayOf, recordInFile, roleOf } from '../model'

const strings = copy.check
const soonDays = 90

const verdicts = {
  good: ['bg-success-soft', 'bg-success-text text-success-soft', Tick],
  bad: ['bg-destructive-soft', 'bg-destructive-text text-destructive-soft', TriangleAlert],
  off: ['bg-warning-soft', 'bg-warning-text text-warning-soft', Ban],
  none: ['bg-sunken', 'bg-muted text-surface', FileQuestion],
} as const

function Verdict({ of, title, children }: { of: keyof typeof verdicts; title: string; children: ReactNode }) {
  const [area, icon, Icon] = verdicts[of]
  return (
    <div role="status" className={clsx('flex items-center gap-4 px-4 py-4 md:px-6', area)}>
      <span aria-hidden className={clsx('grid size-11 shrink-0 place-items-center rounded-[24%]', icon)}>
        <Icon className="size-6" />
      </span>
      <div className="min-w-0">
        <h2 className="text-[1.0625rem] leading-tight font-[680]">{title}</h2>
        <p className="text-small">{children}</p>
      </div>
    </div>
  )
}

function Row({
  title,
  detail,
  side,
  children,
}: {
  title: string
  detail?: string
  side: ReactNode
  children?: ReactNode
}) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 border-t border-line px-4 py-3 [overflow-wrap:anywhere] md:px-6">
      <div>
        <p dir="auto" className="font-[640]">
          {title}
        </p>
        {detail && (
          <p dir="auto" className="text-small text-muted">
            {detail}
          </p>
        )}
      </div>
      <div className="grid justify-items-end gap-0.5 text-small text-muted tabular-nums">{side}</div>
      {children}
    </li>
  )
}

function standingOf({ standing, days_left: days }: CheckedCertification): [BadgeVariant, string] {
  if (standing === 'expired') return ['destructive', strings.standing.expired]
  if (standing === 'no_expiration') return ['general', strings.standing.no_expiration]
  return days !== null && days <= soonDays
    ? ['warning', strings.standing.soon(days)]
    : ['success', strings.standing.current]
}

function CertificationRow({ one }: { one: CheckedCertification }) {
  const [variant, words] = standingOf(one)
  const date = one.expires_on && formatDate(dayOf(one.expires_on))
  return (
    <Row
      title={one.name}
      detail={[one.issuer, one.number && strings.number(one.number)].filter(Boolean).join(', ')}
      side={
        <>
          <Badge variant={variant}>{words}</Badge>
          {date && <span>{one.standing === 'expired' ? strings.ended(date) : strings.until(date)}</span>}
          {!date && one.issued_on && <span>{strings.issued(year(one.issued_on))}</span>}
        </>
      }
    >
      {one.since !== 'same' && (
        <p className="col-span-2 flex items-start gap-1.5 text-small text-warning-text">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {strings.since[one.since]}
        </p>
      )}
    </Row>
  )
}

function List({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className="border-t border-line px-4 pt-5 pb-2 type-card md:px-6">{title}</h3>
      <ul>{children}</ul>
    </section>
  )
}

const year = (isoDate: string | null) => isoDate?.slice(0, 4) ?? ''
const joined = (...words: (string | null | undefined)[]) => words.filter(Boolean).join(', ')

/** Compares a file that the reader was given, without leaving the page. */
function CompareFile({ code }: { code: string }) {
  const id = useId()
  const compare = useMutation({
    mutationFn: async (file: File) => {
      const record = file.size > 1_000_000 ? undefined : recordInFile(await file.text())
      return record === undefined ? 'none' : (await checkRecord(code, record)).is_same
    },
  })
  return (
    <div className="grid gap-2 border-t border-line px-4 py-4 md:px-6">
      <label htmlFor={id} className="text-small font-semibold">
        {strings.compare}
      </label>
      <input
        id={id}
        type="file"
        accept=".json,application/json"
        className="max-w-full text-small text-muted file:mr-3 file:min-h-9 file:cursor-pointer file:rounded-control file:border file:border-solid file:border-line-strong file:bg-surface file:px-3 file:font-semibold file:text-ink"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          if (file) compare.mutate(file)
        }}
      />
      <p role="status" className="text-small">
        {compare.data === 'none' && <span className="text-destructive-text">{strings.notJson}</span>}
        {compare.isSuccess &&
          compare.data !== 'none' &&
          (compare.data ? (
            <span className="font-[620] text-success-text">{strings.same}</span>
          ) : (
            <span className="font-[620] text-destructive-text">{strings.different}</span>
          ))}
      </p>
      {compare.isError && <FieldError>{rejectionMessage(compare.error, strings.failed)}</FieldError>}
    </div>
  )
}

function Issued({ code, check }: { code: string; check: Check }) {
  const { member, certifications, milestones, awards, trainings } = check
  if (!member || !certifications || !milestones || !awards || !trainings) return null
  const { dated, current } = datesOf(certifications)
  const name = member.name ?? ''
  return (
    <>
      <Card className="overflow-hidden">
        <Verdict of="good" title={strings.unchanged}>
          {strings.made(formatDate(check.issued_at))} {dated > 0 && strings.current(current, dated)}
        </Verdict>
        <div className="flex items-center gap-4 px-4 py-5 md:px-6">
          <Avatar memberId={code} name={name} size="lg" />
          <div className="min-w-0 [overflow-wrap:anywhere]">
            <h3 dir="auto" className="type-h2">
              {name}
            </h3>
            <p className="text-small text-muted">
              {joined(
                roleOf(member),
                member.department,
                member.state && (states[member.state] ?? member.state),
                member.years_of_service ? strings.years(member.years_of_service) : null,
              )}
            </p>
          </div>
        </div>
        <List title={strings.certifications}>
          {certifications.map((one, at) => (
            <CertificationRow key={at} one={one} />
          ))}
        </List>
        <List title={strings.career}>
          {milestones.map((one, at) => (
            <Row key={at} title={one.title} detail={one.organization ?? ''} side={year(one.started_on)} />
          ))}
        </List>
        <List title={strings.awards}>
          {awards.map((one, at) => (
            <Row key={at} title={one.title} detail={one.awarded_by ?? ''} side={year(one.awarded_on)} />
          ))}
        </List>
        <List title={strings.trainings}>
          {trainings.map((one, at) => (
            <Row key={at} title={one.title} detail={one.place} side={formatDate(dayOf(one.started_on))} />
          ))}
        </List>
        <CompareFile code={code} />
      </Card>
      <Card className="p-4 md:p-6">
        <h2 className="mb-1 type-card">{strings.tells}</h2>
        <p className="max-w-[62ch] text-small text-muted">{strings.tellsText(name)}</p>
      </Card>
    </>
  )
}

function Result({ code }: { code: string }) {
  const checked = useQuery(checkQuery(code))
  if (checked.isPending)
    return (
      <Loading label={strings.checking}>
        <Skeleton shape="card" className="h-72 w-full" />
      </Loading>
    )
  if (!checked.data)
    return (
      <Card>
        <Failed title={strings.title} onRetry={() => void checked.refetch()}>
          {rejectionMessage(checked.error, strings.failed)}
        </Failed>
      </Card>
    )
  const check = checked.data
  return (
    <>
      <p className="-mt-3 text-small text-muted">{strings.checked(formatSpan(check.checked_at, null))}</p>
      {check.state === 'unknown' && (
        <Card className="overflow-hidden">
          <Verdict of="none" title={strings.unknown.title}>
            {strings.unknown.text}
          </Verdict>
        </Card>
      )}
      {check.state === 'revoked' && (
        <Card className="overflow-hidden">
          <Verdict of="off" title={strings.revoked.title}>
            {strings.revoked.text(formatDate(check.issued_at), formatDate(check.revoked_at))}
          </Verdict>
        </Card>
      )}
      {check.state === 'issued' &&
        (check.is_intact ? (
          <Issued code={code} check={check} />
        ) : (
          <Card className="overflow-hidden">
            <Verdict of="bad" title={strings.altered.title}>
              {strings.altered.text}
            </Verdict>
          </Card>
        ))}
    </>
  )
}

function CodeForm({ typed, label }: { typed: string; label: string }) {
  const id = useId()
  const navigate = useNavigate()
  const [text, setText] = useState(typed)
  const [wrong, setWrong] = useState(false)
  return (
    <Card className="p-4 md:p-6">
      <form
        noValidate
        className="grid gap-1.5"
        onSubmit={(event) => {
          event.preventDefault()
          const code = codeOf(text)
          setWrong(code === null)
          if (code) void navigate(paths.verifyCode(code))
        }}
      >
        <label htmlFor={id} className="text-small font-semibold">
          {label}
        </label>
        <div className="flex flex-wrap gap-2">
          <Input
            id={id}
            value={text}
            maxLength={64}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            placeholder={strings.placeholder}
            aria-invalid={wrong || undefined}
            aria-describedby={wrong ? `${id}-error` : undefined}
            className="min-w-0 grow basis-56 font-mono uppercase placeholder:normal-case"
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button type="submit">{strings.submit}</Button>
        </div>
        {wrong && <FieldError id={`${id}-error`}>{strings.malformed}</FieldError>}
      </form>
    </Card>
  )
}

/** `typed`: the code of the address, however it is written; empty without one. */
export function CheckPage({ typed }: { typed: string }) {
  const code = codeOf(typed)
  return (
    <div className="page grid max-w-[48rem] content-start gap-5 py-8 md:py-12">
      <DocumentHead title={strings.title} description={strings.lead} />
      <meta name="robots" content="noindex" />
      <header>
        <h1 className="type-h1">{strings.title}</h1>
        <p className="mt-2 [overflow-wrap:anywhere] text-muted">
          {code ? (
            <>
              {strings.code} <span className="font-mono font-semibold tracking-wide text-ink">{code}</span>
            </>
          ) : (
            strings.lead
          )}
        </p>
      </header>
      {code && <Result key={code} code={code} />}
      <CodeForm key={typed} typed={code ? '' : typed.slice(0, 64)} label={code ? strings.another : strings.label} />
    </div>
  )
}
