/** All results, a tab a kind. The address carries query, tab and order (§11.1). */
import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { Search } from 'lucide-react'
import { type FormEvent, useEffect, useId, useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { searchTerm } from '@/api/people/model'
import { useMemberId } from '@/api/session/auth-context'
import { EmptyState } from '@/components/ui/empty-state'
import { Input } from '@/components/ui/field'
import { Select } from '@/components/ui/select'
import { Tab, TabList, TabPanel, Tabs } from '@/components/ui/tabs'
import { limits } from '@/config/limits'
import { useIsWide } from '@/lib/browser/use-is-wide'
import { countsQuery } from '../api/queries'
import { copy } from '../copy'
import { isPostTab, isTab, type Sort, type Tab as TabName, tabs } from '../model'
import { Everything } from './everything'
import { PeopleBeside } from './people-beside'
import { People, Posts, Trainings } from './results'

export function SearchPage() {
  const memberId = useMemberId()
  const id = useId()
  const [params, setParams] = useSearchParams()
  const typed = params.get('q') ?? ''
  const term = searchTerm(typed)
  const param = params.get('tab')
  const tab: TabName = isTab(param) ? param : 'all'
  const sort: Sort = params.get('sort') === 'newest' ? 'newest' : 'best'
  const isWide = useIsWide()
  const field = useRef<HTMLInputElement>(null)
  // Who comes without a question comes to ask one. On wide screens the field in the bar takes it.
  useEffect(() => {
    if (field.current?.value === '' && field.current.checkVisibility()) field.current.focus()
  }, [])
  const isAsked = term.length >= limits.searchMinLength
  const hasPeopleBeside = isAsked && isWide && tab !== 'all' && tab !== 'people'
  const counts = useQuery({ ...countsQuery(term), enabled: isAsked }).data
  const change = (name: string, value: string) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        next.set(name, value)
        return next
      },
      { replace: true },
    )
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const field = new FormData(event.currentTarget).get('q')
    change('q', typeof field === 'string' ? field.trim() : '')
  }
  return (
    <div className={clsx('mx-auto grid grid-cols-1 gap-4', hasPeopleBeside ? 'max-w-[68rem]' : 'max-w-[48rem]')}>
      <h1 className="type-h1 [overflow-wrap:anywhere]">{isAsked ? copy.titleOf(term) : copy.title}</h1>
      <form role="search" onSubmit={submit} className="xl:hidden">
        <label htmlFor={id} className="sr-only">
          {copy.label}
        </label>
        <Input
          key={typed}
          ref={field}
          id={id}
          name="q"
          type="search"
          enterKeyHint="search"
          defaultValue={typed}
          maxLength={200}
          placeholder={copy.placeholder}
        />
      </form>
      {!isAsked ? (
        <EmptyState glyph={<Search />} title={copy.start}>
          {copy.startText}
        </EmptyState>
      ) : (
        <Tabs value={tab} onValueChange={(value) => change('tab', value)}>
          <TabList aria-label={copy.kinds}>
            {tabs.map((one) => (
              <Tab key={one} value={one} count={counts?.get(one)}>
                {copy.tabs[one]}
              </Tab>
            ))}
          </TabList>
          <div
            className={
              hasPeopleBeside ? 'grid grid-cols-[minmax(0,1fr)_18.5rem] items-start gap-6' : 'grid grid-cols-1'
            }
          >
            <div className="min-w-0">
              {isPostTab(tab) && (
                <div className="flex justify-end pt-3">
                  <label className="flex items-center gap-2 text-small">
                    {copy.sort}
                    <Select value={sort} onChange={(event) => change('sort', event.target.value)} className="w-40">
                      {(['best', 'newest'] as const).map((one) => (
                        <option key={one} value={one}>
                          {copy.sorts[one]}
                        </option>
                      ))}
                    </Select>
                  </label>
                </div>
              )}
              <TabPanel value={tab}>
                {tab === 'all' && <Everything term={typed} onAll={(kind) => change('tab', kind)} />}
                {tab === 'people' && <People memberId={memberId} term={term} />}
                {tab === 'trainings' && <Trainings term={typed} />}
                {isPostTab(tab) && <Posts term={typed} area={tab} sort={sort} />}
              </TabPanel>
            </div>
            {hasPeopleBeside && <PeopleBeside memberId={memberId} term={term} onAll={() => change('tab', 'people')} />}
          </div>
        </Tabs>
      )}
    </div>
  )
}
