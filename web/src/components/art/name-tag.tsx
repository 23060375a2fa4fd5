/** A name tag as on an accountability board; blank without a rank, ember when it is the reader's. Decorative. */
import clsx from 'clsx'

interface Props {
  rank: string
  name: string
  hot?: boolean
  className?: string
}

export function NameTag({ rank, name, hot = false, className }: Props) {
  const free = rank === ''
  return (
    <p
      className={clsx(
        'min-h-11 rounded-tag border-l-[5px] px-2.5 py-1.5 text-small leading-tight font-[660] font-stretch-[108%] max-[22.5rem]:px-1.5 max-[22.5rem]:text-mark max-[22.5rem]:font-stretch-normal',
        free && 'border border-dashed border-bar-ember text-bar-ember',
        hot && 'border-[oklch(0.62_0.15_50)] bg-bar-ember text-[oklch(0.22_0.01_60)]',
        !free && !hot && 'border-[oklch(0.7_0.012_75)] bg-[oklch(0.93_0.008_80)] text-[oklch(0.22_0.01_60)]',
        className,
      )}
    >
      <span
        className={clsx(
          'block text-mark font-[500] font-stretch-normal',
          !free && !hot && 'text-[oklch(0.42_0.012_60)]',
        )}
      >
        {free ? 'Open seat' : rank}
      </span>
      <span className="block truncate">{name}</span>
    </p>
  )
}
