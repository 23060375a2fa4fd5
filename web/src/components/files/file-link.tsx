/** A file that is no picture: loaded with the member's token when it is pressed, and given to the browser to save. */
import { FileText } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { logError } from '@/lib/browser/log'
import { useSingleFlight } from '@/lib/browser/use-single-flight'
import { copy } from '@/lib/files/copy'
import { saveFile } from '@/lib/files/save-file'
import { showToast } from '@/lib/toasts/toast'

interface Props {
  address: string
  /** What it is called; also the name of the saved file. */
  name: string
  label?: string
}

export function FileLink({ address, name, label = name }: Props) {
  const single = useSingleFlight()
  const save = () =>
    single(() =>
      saveFile(address, name).catch((cause: unknown) => {
        logError('The file could not be loaded', cause)
        showToast(copy.downloadFailed)
      }),
    )
  return (
    <Button size="sm" className="max-w-full" onClick={save}>
      <FileText aria-hidden />
      <span className="truncate">{label}</span>
    </Button>
  )
}
