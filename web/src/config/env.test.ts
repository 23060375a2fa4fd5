import { describe, expect, it } from 'vitest'
import { parseEnv } from './env'

describe('run-time configuration', () => {
  it('an empty backend address means the page’s own origin; the probe asks its root (§7.48)', () => {
    expect(parseEnv({ supabaseUrl: '', supabaseKey: 'k' }, 'https://muster.example')).toEqual({
      supabaseUrl: 'https://muster.example',
      supabaseKey: 'k',
      siteUrl: 'https://muster.example',
      probeUrl: 'https://muster.example/',
      pushKey: '',
    })
    expect(
      parseEnv({ supabaseUrl: 'https://db.example/', probeUrl: '/auth/v1/health' }, 'https://a.example'),
    ).toMatchObject({
      supabaseUrl: 'https://db.example',
      probeUrl: 'https://db.example/auth/v1/health',
    })
  })
})
