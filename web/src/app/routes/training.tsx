/** /trainings/:id : one training. */
import { useParams } from 'react-router-dom'
import { TrainingPage } from '@/features/trainings/components/training-page'

export function Component() {
  const { id = '' } = useParams()
  return <TrainingPage key={id} id={id} />
}
