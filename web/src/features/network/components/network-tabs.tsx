/** Finding people, connections, received requests, sent requests; the open tab is kept in the URL (§2.36, §11.6). */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation, useSearchParams } from 'react-router-dom'
import { type Tab as TabName, tabs } from '@/api/connections/model'
import { connectionCountQuery } from '@/api/connections/queries'
import { useMemberId } from '@/api/session/auth-context'
import { Tab, TabList, TabPanel, Tabs } from '@/components/ui/tabs'
import { copy } from '../copy'
import { copy as findPeople } from '../directory-copy'
import { ConnectionList } from './connection-list'
import { Directory } from './directory'
import { RefusedAnswers } from './refused-answers'

const people = 'people'
const isTab = (value: string | null): value is TabName => tabs.some((tab) => tab === value)

function CountedTab({ tab }: { tab: TabName }) {
  const count = useQuery(connectionCountQuery(useMemberId(), tab)).data
  return (
    <Tab value={tab} count={count} urgent={tab === 'pending-requests' ? copy.waiting : undefined}>
      {copy.tabs[tab]}
    </Tab>
  )
}

/** What an address without a tab opens: requests when some wait, decided once, so that none that comes later moves it. */
function useFirstTab(asked: boolean): TabName | '' {
  const { key } = useLocation()
  const { data: waiting, isError } = useQuery(connectionCountQuery(useMemberId(), 'pending-requests'))
  const [first, setFirst] = useState<{ key: string; tab: TabName }>()
  if (asked) return ''
  if (first?.key === key) return first.tab
  if (waiting === undefined && !isError) return ''
  const tab = waiting ? 'pending-requests' : 'connections'
  setFirst({ key, tab })
  return tab
}

export function NetworkTabs() {
  const [params, setParams] = useSearchParams()
  const asked = params.get('tab')
  const named = asked === people || isTab(asked) ? asked : null
  const first = useFirstTab(named !== null)
  const current = named ?? first
  const open = (tab: string) =>
    setParams(
      (old) => {
        old.set('tab', tab)
        return old
      },
      { replace: true, preventScrollReset: true },
    )
  return (
    <Tabs value={current} onValueChange={open}>
      <TabList aria-label={copy.tabList}>
        <Tab value={people}>{findPeople.tab}</Tab>
        {tabs.map((tab) => (
          <CountedTab key={tab} tab={tab} />
        ))}
      </TabList>
      <TabPanel value={people}>
        <Directory />
      </TabPanel>
      {tabs.map((tab) => (
        <TabPanel key={tab} value={tab}>
          {tab === 'pending-requests' && <RefusedAnswers />}
          <ConnectionList tab={tab} />
        </TabPanel>
      ))}
    </Tabs>
  )
}
