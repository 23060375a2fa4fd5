/** A certification and the day it expires, in place: what one needs to be reminded. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import * as z from 'zod/mini'
import { firstStepsKey } from '@/api/first-steps/queries'
import { certificationKeys } from '@/api/profiles/certifications'
import { useMemberId } from '@/api/session/auth-context'
import { BusyButton, Button } from '@/components/ui/button'
import { TextField } from '@/components/ui/field'
import { paths } from '@/config/paths'
import { logError } from '@/lib/browser/log'
import { useZodForm } from '@/lib/forms/use-zod-form'
import { supabase } from '@/lib/supabase/client'
import { showToast } from '@/lib/toasts/toast'
import { copy } from '../copy'

const strings = copy.form
const schema = z.object({
  name: z.string().check(z.trim(), z.minLength(1, strings.nameMissing)),
  expires: z.string().check(z.minLength(1, strings.dateMissing)),
})

function Form() {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const { register, handleSubmit, formState } = useZodForm(schema, { defaultValues: { name: '', expires: '' } })
  const { errors } = formState
  const add = useMutation({
    mutationFn: async ({ name, expires }: z.output<typeof schema>) => {
      await supabase.from('certifications').insert({ name, expires_on: expires }).throwOnError()
    },
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: firstStepsKey(memberId) }),
        queryClient.invalidateQueries({ queryKey: certificationKeys.own(memberId) }),
      ]),
    onError: (cause) => {
      logError('The certification was not added', cause)
      showToast(copy.failed)
    },
  })
  const submit = handleSubmit((values) => {
    if (!add.isPending) add.mutate(values)
  })
  return (
    <form
      noValidate
      onSubmit={(event) => void submit(event)}
      className="grid w-full grid-cols-1 items-start gap-3 sm:grid-cols-[minmax(0,1fr)_10.5rem_auto] sm:pl-10"
    >
      <TextField label={strings.name} error={errors.name?.message} maxLength={160} {...register('name')} />
      <TextField label={strings.expires} error={errors.expires?.message} type="date" {...register('expires')} />
      <BusyButton type="submit" variant="primary" className="sm:mt-6.5" busy={add.isPending} busyLabel={strings.busy}>
        {strings.action}
      </BusyButton>
      <p className="text-small text-muted sm:col-span-3">
        {strings.never}{' '}
        <Link to={paths.profile} className="link-inline">
          {strings.toProfile}
        </Link>
      </p>
    </form>
  )
}

export function CertificationForm({ isOpen, action }: { isOpen: boolean; action: string }) {
  const [asked, setAsked] = useState(false)
  if (isOpen || asked) return <Form />
  return (
    <Button size="sm" className="max-sm:ml-10 max-sm:grow" onClick={() => setAsked(true)}>
      {action}
    </Button>
  )
}
