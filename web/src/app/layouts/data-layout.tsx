/** Everything below reads through the data cache. */
import { Outlet } from 'react-router-dom'
import { DataProvider } from '@/api/data-provider'

export function Component() {
  return (
    <DataProvider>
      <Outlet />
    </DataProvider>
  )
}
