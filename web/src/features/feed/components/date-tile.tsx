/** A date tile: month over day. */
const month = new Intl.DateTimeFormat('en-US', { month: 'short' })

export function DateTile({ value }: { value: string }) {
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return null
  return (
    <time dateTime={value} className="grid w-11 shrink-0 justify-items-center gap-0.5">
      <span className="type-mark text-muted">{month.format(date)}</span>
      <span className="text-[1.25rem] type-figure">{date.getDate()}</span>
    </time>
  )
}
