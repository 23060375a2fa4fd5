import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import { Cover } from './cover'

it('draws main roads over side streets', () => {
  const maps = Array.from({ length: 20 }, (_, n) => {
    const { container } = render(<Cover slug={`career-${n}`} category="Career" />)
    return [...container.querySelectorAll('path')].map((path) => path.getAttribute('stroke-width'))
  })
  const withMainRoad = maps.filter((widths) => widths.includes('16'))
  expect(withMainRoad).not.toEqual([])
  for (const widths of withMainRoad) expect(widths.slice(widths.indexOf('16'))).not.toContain('6')
})
