/** Trainings: coming, one's own, past; the address carries tab and filters (§12.5). */
import { Plus } from 'lucide-react'
import { useId, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { TrainingFilter } from '@/api/trainings/keys'
import { isKind, kindNames, kinds } from '@/api/trainings/model'
import { Button } from '@/components/ui/button'
import { Select } from '@/components/ui/select'
import { Tab, TabList, TabPanel, Tabs } from '@/components/ui/tabs'
import { states } from '@/lib/format/states'
import { useTrainingsLive } from '../api/realtime'
import { copy } from '../copy'
import { CalendarCard } from './calendar-card'
import { NextTrainings } from './next-trainings'
import { TrainingDialog } from './training-dialog'
import { TrainingList } from './training-list'

const tabs = ['upcoming', 'mine', 'past'] as const

function filterOf(params: URLSearchParams): TrainingFilter {
  const [tab, where, kind] = [params.get('tab'), params.get('where'), params.get('kind')]
  return {
    tab: tabs.find((one) => one === tab) ?? 'upcoming',
    where: where === 'online' || (where && Object.hasOwn(states, where)) ? where : null,
    kind: isKind(kind) ? kind : null,
  }
}

interface FiltersProps {
  filter: TrainingFilter
  onChange: (name: 'where' | 'kind', value: string) => void
}

function Filters({ filter, onChange }: FiltersProps) {
  const id = useId()
  return (
    <div role="group" aria-label={copy.filters} className="grid grid-cols-2 gap-3 sm:flex">
      <label htmlFor={`${id}-where`} className="sr-only">
        {copy.where}
      </label>
      <Select
        id={`${id}-where`}
        value={filter.where ?? ''}
        onChange={(event) => onChange('where', event.target.value)}
        className="sm:w-56"
      >
        <option value="">{copy.everywhere}</option>
        <option value="online">{copy.online}</option>
        {Object.entries(states).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
      <label htmlFor={`${id}-kind`} className="sr-only">
        {copy.kind}
      </label>
      <Select
        id={`${id}-kind`}
        value={filter.kind ?? ''}
        onChange={(event) => onChange('kind', event.target.value)}
        className="sm:w-44"
      >
        <option value="">{copy.allKinds}</option>
        {kinds.map((kind) => (
          <option key={kind} value={kind}>
            {kindNames[kind]}
          </option>
        ))}
      </Select>
    </div>
  )
}

export function TrainingsPage() {
  const [params, setParams] = useSearchParams()
  const [posting, setPosting] = useState(false)
  const filter = filterOf(params)
  useTrainingsLive()
  const change = (changes: Record<string, string>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes)) {
          if (value) next.set(name, value)
          else next.delete(name)
        }
        return next
      },
      { replace: true },
    )
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h1 className="type-h1">{copy.title}</h1>
        <TrainingDialog
          open={posting}
          onOpenChange={setPosting}
          trigger={
            <Button variant="primary">
              <Plus aria-hidden /> {copy.post}
            </Button>
          }
        />
      </div>
      <Tabs value={filter.tab} onValueChange={(tab) => change({ tab: tab === 'upcoming' ? '' : tab })}>
        <TabList aria-label={copy.tabList}>
          {tabs.map((tab) => (
            <Tab key={tab} value={tab}>
              {copy.tabs[tab]}
            </Tab>
          ))}
        </TabList>
        <div className="mt-4 grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_18.5rem]">
          <div className="grid min-w-0 grid-cols-1 gap-2">
            <Filters filter={filter} onChange={(name, value) => change({ [name]: value })} />
            <TabPanel value={filter.tab}>
              <TrainingList filter={filter} onClear={() => change({ where: '', kind: '' })} />
            </TabPanel>
          </div>
          <aside aria-label={copy.calendar.title} className="grid grid-cols-1 gap-4">
            <NextTrainings />
            <CalendarCard />
          </aside>
        </div>
      </Tabs>
    </>
  )
}
