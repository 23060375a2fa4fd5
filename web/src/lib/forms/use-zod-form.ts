/**
 * Form state by react-hook-form; one zod schema validates the input and converts it to the values to send.
 * Schemas are written with zod/mini: a third of the size, and without the code generation that the CSP forbids.
 */
import { zodResolver } from '@hookform/resolvers/zod'
import { type FieldValues, useForm, type UseFormProps } from 'react-hook-form'
import type * as z from 'zod/mini'

type Props<Input extends FieldValues, Output> = Omit<
  UseFormProps<Input, unknown, Output>,
  'resolver' | 'reValidateMode'
>

/** After a rejected submit the first invalid field has the focus, and its message stays until the next submit. */
export function useZodForm<Input extends FieldValues, Output extends FieldValues>(
  schema: z.ZodMiniType<Output, Input>,
  props: Props<Input, Output>,
) {
  return useForm<Input, unknown, Output>({ ...props, resolver: zodResolver(schema), reValidateMode: 'onSubmit' })
}
