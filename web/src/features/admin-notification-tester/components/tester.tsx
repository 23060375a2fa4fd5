/** Tries a notification on oneself or a member, in the application and by mail, and says what became of it. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { isLoud, isShown, kindOfType, parseNotificationSettings } from '@/api/notifications/settings'
import { profileQuery } from '@/api/profiles/queries'
import { useAuth, useMemberId } from '@/api/session/auth-context'
import { BusyButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Field, Input, Textarea } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { membersQuery } from '@/features/admin-shared/api/queries'
import { sendMail } from '@/features/admin-shared/api/send-mail'
import { PageHead } from '@/features/admin-shared/components/page-head'
import { SearchBox } from '@/features/admin-shared/components/search-box'
import { adminCopy } from '@/features/admin-shared/copy'
import { messageOf } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { tryNotice } from '../api/mutations'
import { copy } from '../copy'

interface Recipient {
  id: string
  email: string
  name: string
}

function ChooseMember({ chosen, onChoose }: { chosen: string; onChoose: (recipient: Recipient) => void }) {
  const [search, setSearch] = useState('')
  const view = { search, standing: 'all', sort: 'name', descending: false, page: 1 }
  const found = useQuery({ ...membersQuery(view), enabled: search.length > 1 })
  return (
    <div className="grid gap-2">
      <SearchBox value={search} label={copy.search} onSearch={setSearch} wide />
      {search.length > 1 && found.data && (
        <ul className="flex flex-wrap gap-2">
          {found.data.slice(0, 6).map(({ id, full_name, email }) => (
            <li key={id}>
              <button
                type="button"
                aria-pressed={id === chosen}
                className="max-w-72 truncate rounded-control border border-line-strong px-3 py-2 text-small hover:bg-sunken aria-pressed:border-ember aria-pressed:bg-ember-soft"
                title={email}
                onClick={() => onChoose({ id, email, name: full_name ?? email })}
              >
                {full_name ?? email}
              </button>
            </li>
          ))}
          {found.data.length === 0 && <li className="text-small text-muted">{copy.nobody}</li>}
        </ul>
      )}
    </div>
  )
}

interface Trial {
  to: Recipient
  type: string
  title: string
  content: string
  url: string
  inApp: boolean
  byMail: boolean
}

export function Tester() {
  const me = useMemberId()
  const { user } = useAuth()
  const own = useQuery(profileQuery(me)).data
  const self = { id: me, email: user?.email ?? '', name: own?.full_name ?? copy.toSelf }
  const [to, setTo] = useState<Recipient | null>(null)
  const [form, setForm] = useState({ type: 'system', title: '', content: '', url: '', inApp: true, byMail: false })
  const [error, setError] = useState<{ title?: string; url?: string }>({})
  const set = (changes: Partial<typeof form>) => setForm((before) => ({ ...before, ...changes }))
  const recipient = to ?? self

  const trial = useMutation({
    mutationFn: async ({ to: whom, type, title, content, url, inApp, byMail }: Trial, { client }) => {
      const profile = await client.fetchQuery({ ...profileQuery(whom.id), staleTime: 0 })
      const settings = parseNotificationSettings(profile?.notification_settings)
      const kind = kindOfType(type)
      const said: string[] = []
      const metadata = { user_id: me, ...(url ? { url } : {}) }
      if (inApp) {
        const refused = await tryNotice({ user_id: whom.id, type, title, content, metadata })
        if (refused) said.push(copy.refused(refused))
        else said.push(isLoud(settings, kind) ? copy.shown : isShown(settings, kind) ? copy.silent : copy.hidden)
      }
      if (byMail) {
        const known = ['message', 'mention', 'reaction', 'connection', 'comment', 'system']
        const mailType = known.includes(type) ? type : 'others'
        const reason = await sendMail({
          notification: { type: mailType, title, content, metadata },
          recipient: { email: whom.email, full_name: whom.name },
        })
        said.push(reason ? copy.notMailed(reason) : copy.mailed)
      }
      return said
    },
    onError: (cause) =>
      showToast({
        ...adminCopy.actFailed,
        description: messageOf(cause, adminCopy.actFailed.description),
        variant: 'destructive',
      }),
  })

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wrong = {
      ...(form.title.trim() ? {} : { title: copy.missing }),
      ...(form.url === '' || /^\/[^/\\]?/.test(form.url) ? {} : { url: copy.badUrl }),
    }
    setError(wrong)
    if (Object.keys(wrong).length === 0 && !trial.isPending) {
      trial.mutate({ ...form, title: form.title.trim(), to: recipient })
    }
  }

  return (
    <>
      <PageHead title={copy.title} lead={copy.lead} />
      <Card className="max-w-[40rem] p-5">
        <form noValidate onSubmit={submit} className="grid gap-5">
          <fieldset className="grid gap-3">
            <legend className="mb-1.5 text-small font-semibold">{copy.to}</legend>
            <p className="[overflow-wrap:anywhere]">
              <b className="type-name">{recipient.name}</b> <span className="text-muted">{recipient.email}</span>
              {to && (
                <button type="button" className="ml-3 link-inline" onClick={() => setTo(null)}>
                  {copy.toSelf}
                </button>
              )}
            </p>
            <ChooseMember chosen={recipient.id} onChoose={setTo} />
          </fieldset>
          <Field label={copy.type}>
            {(tie) => (
              <Select {...tie} value={form.type} onChange={(event) => set({ type: event.target.value })}>
                {Object.entries(copy.types).map(([type, label]) => (
                  <option key={type} value={type}>
                    {label}
                  </option>
                ))}
              </Select>
            )}
          </Field>
          <Field label={copy.heading} error={error.title}>
            {(tie) => (
              <Input
                {...tie}
                value={form.title}
                maxLength={200}
                onChange={(event) => set({ title: event.target.value })}
              />
            )}
          </Field>
          <Field label={copy.content}>
            {(tie) => (
              <Textarea
                {...tie}
                value={form.content}
                maxLength={1000}
                onChange={(event) => set({ content: event.target.value })}
              />
            )}
          </Field>
          <Field label={copy.url} hint={copy.urlHint} error={error.url}>
            {(tie) => <Input {...tie} value={form.url} onChange={(event) => set({ url: event.target.value.trim() })} />}
          </Field>
          <div className="flex flex-wrap gap-6">
            {(['inApp', 'byMail'] as const).map((way) => (
              <label key={way} className="flex min-h-11 items-center gap-2.5">
                <input
                  type="checkbox"
                  className="size-4.5 accent-ember"
                  checked={form[way]}
                  onChange={(event) => set({ [way]: event.target.checked })}
                />
                {copy[way]}
              </label>
            ))}
          </div>
          <BusyButton
            type="submit"
            variant="primary"
            className="sm:justify-self-start"
            busy={trial.isPending}
            busyLabel={copy.sending}
            disabled={!form.inApp && !form.byMail}
          >
            {copy.send}
          </BusyButton>
        </form>
        <div role="status" className="mt-5">
          {trial.data && (
            <>
              <h2 className="mb-2 type-card">{copy.result}</h2>
              <ul className="grid gap-1 text-small">
                {trial.data.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </>
          )}
        </div>
      </Card>
    </>
  )
}
