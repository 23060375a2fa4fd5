/** The e-mail address of an account. */
import { TextField, type TextFieldProps } from '@/components/ui/field'
import { copy } from '../copy'

export const EmailField = (props: Omit<TextFieldProps, 'label'>) => (
  <TextField label={copy.fields.email} type="email" autoComplete="username" {...props} />
)
