/** Provides the query client. A separate module, because the landing page's first paint needs none of its code. */
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sharedQueryClient } from '@/lib/supabase/query-client'

export function DataProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={sharedQueryClient()}>{children}</QueryClientProvider>
}
