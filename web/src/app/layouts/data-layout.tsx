/** Provides the query client to the routes below. */
import { Outlet } from 'react-router-dom'
import { DataProvider } from '@/api/data-provider'

export function Component() {
  return (
    <DataProvider>
      <Outlet />
    </DataProvider>
  )
}
