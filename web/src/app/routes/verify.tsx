/** /verify and /verify/{code} : anybody checks a record. */
import { useParams } from 'react-router-dom'
import { CheckPage } from '@/features/records/components/check-page'

export function Component() {
  const { code = '' } = useParams()
  return <CheckPage typed={code} />
}
