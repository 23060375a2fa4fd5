/** One conversation: partner, messages, and the message form. */
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { connectedQuery } from '@/api/connections/queries'
import { nameOf, unitOf } from '@/api/people/model'
import { useMemberId } from '@/api/session/auth-context'
import { LinkButton } from '@/components/ui/button'
import { PersonLine } from '@/components/ui/person-line'
import { limits } from '@/config/limits'
import { paths } from '@/config/paths'
import { useRootMark } from '@/lib/browser/root-mark'
import { allowanceQuery, recipientQuery } from '../api/queries'
import { copy } from '../copy'
import { keepDraft, readDraft } from '../drafts'
import type { Line } from '../model'
import { useMarkRead } from '../use-mark-read'
import { useSend } from '../use-send'
import { Composer } from './composer'
import { Log } from './log'

/** Mount with the partner's id as key: a draft belongs to one conversation. */
export function Thread({ otherId, connect }: { otherId: string; connect: ReactNode }) {
  const memberId = useMemberId()
  const screen = useRef<HTMLElement>(null)
  useRootMark('thread')
  useMarkRead(otherId)
  const recipient = useQuery(recipientQuery(otherId)).data
  const connected = useQuery(connectedQuery(memberId, otherId)).data
  const stranger = connected === false
  const used = useQuery({ ...allowanceQuery(memberId), enabled: stranger }).data
  const [text, setText] = useState(() => readDraft(memberId, otherId))
  const type = (next: string) => {
    setText(next)
    keepDraft(memberId, otherId, next)
  }
  const { send, retry, discard } = useSend(otherId, (content) => {
    const isFree = readDraft(memberId, otherId) === ''
    if (isFree) type(content)
    return isFree
  })
  const edit = ({ id, content }: Line) => {
    type(text.trim() ? `${text}\n${content}` : content)
    discard(id)
    screen.current?.querySelector('textarea')?.focus()
  }
  const name = nameOf(recipient, copy.participant)
  let refusal: string | null = null
  if (stranger && recipient?.isOpen === false) refusal = copy.refusal.closed
  else if (stranger && (used ?? 0) >= limits.dailyMessagesToStrangers) refusal = copy.refusal.limit
  return (
    <section
      ref={screen}
      data-slot="thread"
      aria-label={copy.with(name)}
      tabIndex={-1}
      className="flex min-h-0 min-w-0 flex-col outline-none"
    >
      <header className="flex min-h-16 shrink-0 items-center gap-2 border-b border-line bg-surface px-2 py-2 md:px-5">
        <LinkButton to={paths.messages} variant="quiet" size="icon" aria-label={copy.back} className="md:hidden">
          <ArrowLeft aria-hidden />
        </LinkButton>
        <PersonLine
          memberId={otherId}
          name={name}
          avatarUrl={recipient?.avatar_url}
          unit={[stranger && copy.notConnected, unitOf(recipient)].filter(Boolean).join(' · ')}
          to={paths.profileOf(otherId)}
          className="grow max-[20rem]:[&_[data-slot=avatar]]:hidden"
        />
        <div className="flex gap-2 max-md:hidden">{connect}</div>
      </header>
      <Log otherId={otherId} name={name} actions={{ edit, retry, discard }} />
      <Composer
        name={name}
        text={text}
        onText={type}
        onSend={(content, file) => {
          setText('')
          void send(content, file, () => {
            // Not what was begun meanwhile.
            if (readDraft(memberId, otherId) === text) keepDraft(memberId, otherId, '')
          })
        }}
        refusal={refusal}
        used={stranger && recipient?.isOpen !== false ? (used ?? 0) : null}
        connect={connect}
      />
    </section>
  )
}
