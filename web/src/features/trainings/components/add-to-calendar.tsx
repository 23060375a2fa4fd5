/** One training for a calendar: calendars on the web by their links, all others by a file. */
import { useMutation } from '@tanstack/react-query'
import { CalendarPlus } from 'lucide-react'
import type { Training } from '@/api/trainings/model'
import { Button } from '@/components/ui/button'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '@/components/ui/menu'
import { readEnv } from '@/config/env'
import { paths } from '@/config/paths'
import { downloadFile } from '@/lib/browser/download-file'
import { logError } from '@/lib/browser/log'
import { showToast } from '@/lib/toasts/toast'
import { readCalendarFile } from '../api/mutations'
import { googleLink, outlookLink } from '../calendar-links'
import { copy } from '../copy'

const strings = copy.detail

export function AddToCalendar({ training }: { training: Training }) {
  const page = `${readEnv().siteUrl}${paths.training(training.id)}`
  const download = useMutation({
    mutationFn: () => readCalendarFile(training.id),
    onSuccess: (text) => downloadFile('training.ics', 'text/calendar', text),
    onError: (cause) => {
      logError('The calendar file could not be made', cause)
      showToast(strings.fileFailed)
    },
  })
  const away = { target: '_blank', rel: 'noopener noreferrer' }
  return (
    <Menu>
      <MenuTrigger asChild>
        <Button>
          <CalendarPlus aria-hidden /> {strings.calendar}
        </Button>
      </MenuTrigger>
      <MenuContent align="start">
        <MenuItem onSelect={() => download.mutate()}>{strings.file}</MenuItem>
        <MenuItem asChild>
          <a href={googleLink(training, page)} {...away}>
            {strings.google}
          </a>
        </MenuItem>
        <MenuItem asChild>
          <a href={outlookLink(training, page)} {...away}>
            {strings.outlook}
          </a>
        </MenuItem>
      </MenuContent>
    </Menu>
  )
}
