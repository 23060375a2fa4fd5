/** The few icons of the first screen as inline SVG: an icon library would outweigh all of them. */
import clsx from 'clsx'

const drawings = {
  arrow: 'M4 12h15M13 6l6 6-6 6',
  award: 'M12 3.5a5.5 5.5 0 1 1 0 11 5.5 5.5 0 0 1 0-11zM8.5 13.5 7 21l5-2.5 5 2.5-1.5-7.5',
  book: 'M12 6.5C10 4.800 7 4.300 4 5.200v13.300c3-.9 6-.4 8 1.300 2-1.700 5-2.200 8-1.300V5.200c-3-.9-6-.4-8 1.300zm0 0v13.300',
  cap: 'M2.500 9.500 12 5l9.500 4.500L12 14zM6.500 11.700V16c3 2.700 8 2.700 11 0v-4.300M21.500 9.500V15',
  check: 'M4.500 12.500 10 18 20 6.500',
  comment: 'M4 4.500h16a1 1 0 0 1 1 1V16a1 1 0 0 1-1 1h-9l-5 4v-4H4a1 1 0 0 1-1-1V5.500a1 1 0 0 1 1-1z',
  hammer: 'm14 4.500 5.500 5.500-2.500 2.500L11.500 7zM13.300 9 4 18.300 5.700 20l9.300-9.300',
  people:
    'M9 5a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7zM2.500 20c.6-3.600 3.200-5.500 6.500-5.500s5.900 1.900 6.500 5.500M15.500 5.300a3.500 3.500 0 0 1 0 6.400M18 15c1.900.8 3.100 2.500 3.500 5',
  steps: 'M3 20h5v-5h5v-5h5V5h3',
  thumb:
    'M7 10.500v9.500M7 10.500 11 3.500c1.700 0 2.600 1.300 2.300 2.800L12.700 9H18a2 2 0 0 1 2 2.400l-1.300 7A2 2 0 0 1 16.700 20H4.500a1 1 0 0 1-1-1v-7.500a1 1 0 0 1 1-1z',
} as const

export function Glyph({
  of,
  className,
  stroke = 1.9,
}: {
  of: keyof typeof drawings
  className?: string
  stroke?: number
}) {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      className={clsx('shrink-0', className)}
    >
      <path d={drawings[of]} />
    </svg>
  )
}
