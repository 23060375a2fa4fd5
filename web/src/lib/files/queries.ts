/** The description, name and measures of one file, where they are not loaded with what shows it. */
import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase/client'
import { fileAt, fileColumns, type StoredFile } from './model'

export const fileQuery = (address: string) =>
  queryOptions({
    queryKey: ['file', address],
    staleTime: Infinity, // descriptions are written before anything shows the file
    queryFn: async ({ signal }): Promise<StoredFile> => {
      const { data } = await supabase
        .from('files')
        .select(fileColumns)
        .eq('address', address)
        .abortSignal(signal)
        .maybeSingle()
        .throwOnError()
      return data ?? fileAt(address)
    },
  })
