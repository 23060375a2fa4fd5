/** Sends a real notification to the admin or a member, in the application and by e-mail, and shows the results. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { profileQuery } from '@/api/profiles/queries'
import { useAuth, useMemberId } from '@/api/session/auth-context'
import { BusyButton } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Field, Textarea, TextField } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { PageHeader } from '@/features/admin-shared/components/page-header'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { copy } from '../copy'
import { testSchema } from '../schema'
import { type Recipient, useTest } from '../use-test'
import { type PreviewedNotice, Previews } from './previews'
import { RecipientChoice } from './recipient-choice'

function Results({ lines }: { lines: string[] | undefined }) {
  return (
    <div role="status" className="mt-5">
      {lines && (
        <>
          <h2 className="mb-2 type-card">{copy.result}</h2>
          <ul className="grid gap-1 text-small">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}

export function Tester({ renderNotice }: { renderNotice: (notice: PreviewedNotice) => ReactNode }) {
  const me = useMemberId()
  const { user } = useAuth()
  const own = useQuery(profileQuery(me)).data
  const [chosen, setChosen] = useState<Recipient | null>(null)
  const recipient = chosen ?? { id: me, email: user?.email ?? '', name: own?.full_name ?? copy.toSelf }
  const { register, handleSubmit, control, formState } = useZodForm(testSchema, {
    defaultValues: { type: 'system', title: '', content: '', url: '', inApp: true, byMail: false },
  })
  const { errors } = formState
  const ways = useWatch({ control, name: ['inApp', 'byMail'] })
  const test = useTest(me)
  const submit = handleSubmit((notification) => {
    if (!test.isPending) test.mutate({ ...notification, to: recipient })
  }, test.reset) // what was rejected has no result
  return (
    <>
      <PageHeader title={copy.title} lead={copy.lead} />
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,40rem)_minmax(0,1fr)]">
        <Card className="p-5">
          <form noValidate onSubmit={(event) => void submit(event)} className="grid grid-cols-1 gap-5">
            <RecipientChoice recipient={recipient} isSelf={chosen === null} onChoose={setChosen} />
            <Field label={copy.type}>
              {(control) => (
                <Select {...control} {...register('type')}>
                  {Object.entries(copy.types).map(([type, label]) => (
                    <option key={type} value={type}>
                      {label}
                    </option>
                  ))}
                </Select>
              )}
            </Field>
            <TextField label={copy.heading} error={errors.title?.message} maxLength={200} {...register('title')} />
            <Field label={copy.content}>
              {(control) => <Textarea {...control} maxLength={1000} {...register('content')} />}
            </Field>
            <TextField label={copy.url} hint={copy.urlHint} error={errors.url?.message} {...register('url')} />
            <div className="flex flex-wrap gap-6">
              {(['inApp', 'byMail'] as const).map((way) => (
                <label key={way} className="flex min-h-11 items-center gap-2.5">
                  <input type="checkbox" className="size-4.5 accent-ember" {...register(way)} />
                  {copy[way]}
                </label>
              ))}
            </div>
            <BusyButton
              type="submit"
              variant="primary"
              className="sm:justify-self-start"
              busy={test.isPending}
              busyLabel={copy.sending}
              disabled={!ways.includes(true)}
            >
              {copy.send}
            </BusyButton>
          </form>
          <Results lines={test.data} />
        </Card>
        <Previews control={control} renderNotice={renderNotice} />
      </div>
    </>
  )
}
