/** Starts a conversation: finds a recipient. */
import { useQuery } from '@tanstack/react-query'
import { PenLine } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { Link } from 'react-router-dom'
import { nameOf, unitOf } from '@/api/people/model'
import { peopleSearchQuery } from '@/api/people/queries'
import { useMemberId } from '@/api/session/auth-context'
import { Button } from '@/components/ui/button'
import { Dialog, DialogContent, DialogTrigger } from '@/components/ui/dialog'
import { Field, Input } from '@/components/ui/field'
import { PersonLine } from '@/components/ui/person-line'
import { paths } from '@/config/paths'
import { copy } from '../copy'

const strings = copy.newMessage

function Finder({ onPicked }: { onPicked: () => void }) {
  const memberId = useMemberId()
  const [typed, setTyped] = useState('')
  const found = useQuery(peopleSearchQuery(memberId, useDeferredValue(typed)))
  return (
    <div className="grid grid-cols-1 gap-3">
      <Field label={strings.label} hint={strings.hint}>
        {(control) => (
          <Input
            {...control}
            type="search"
            placeholder={strings.placeholder}
            maxLength={100}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
      <ul className="-mx-2 min-h-40">
        {found.data?.map((person) => (
          <li key={person.id}>
            <Link
              to={paths.messagesWith(person.id)}
              onClick={onPicked}
              className="block rounded-control px-2 py-2 hover:bg-sunken"
            >
              <PersonLine
                memberId={person.id}
                name={nameOf(person)}
                avatarUrl={person.avatar_url}
                unit={unitOf(person)}
              />
            </Link>
          </li>
        ))}
      </ul>
      <p role="status" className="text-small text-muted empty:hidden">
        {found.data?.length === 0 && strings.none}
      </p>
    </div>
  )
}

export function NewMessage() {
  const [open, setOpen] = useState(false)
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button size="icon" aria-label={copy.compose}>
          <PenLine aria-hidden />
        </Button>
      </DialogTrigger>
      <DialogContent title={strings.title}>
        <Finder onPicked={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  )
}
