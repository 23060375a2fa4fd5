/** The generated types, but for what their generator can't know: what is computed for a row is never null. */
import type { Database as Generated } from './database.types'

type Tables = Generated['public']['Tables']
type Count = 'comment_count' | 'reaction_count' | 'use_count' | 'going_count' | 'waiting_count' | 'interested_count'
type Counted<Table extends { Row: object }> = Omit<Table, 'Row'> & {
  Row: {
    [Name in keyof Table['Row']]: Name extends Count ? number : Name extends 'is_full' ? boolean : Table['Row'][Name]
  }
}

export type Database = Omit<Generated, 'public'> & {
  public: Omit<Generated['public'], 'Tables'> & {
    Tables: Omit<Tables, 'posts' | 'comments' | 'trainings'> & {
      posts: Counted<Tables['posts']>
      comments: Counted<Tables['comments']>
      trainings: Counted<Tables['trainings']>
    }
  }
}
