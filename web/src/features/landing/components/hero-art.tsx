/** The hero illustration: a feed post, a connection request, a record, over contour lines. */
import { contourRings } from '@/components/art/contours'
import { Rings } from '@/components/art/rings'
import { Glyph } from '@/components/art/glyph'
import { Avatar } from '@/components/ui/avatar'
import { Badge } from '@/components/ui/badge'

const rings = contourRings({ seed: 'muster', x: 430, y: 330, rings: 14, step: 44, stretch: 1.2 })
const perimeter = 5

/** Fills its side of the hero; where the cards are below the text, it begins below the text, too. */
export function HeroHill() {
  return (
    <svg
      viewBox="0 0 800 660"
      preserveAspectRatio="xMidYMid slice"
      aria-hidden
      className="absolute inset-y-0 right-0 h-full w-full overflow-visible max-lg:top-auto max-lg:h-[34rem] max-lg:[mask-image:linear-gradient(transparent_24%,black_46%)] lg:w-[54%]"
    >
      <Rings rings={rings} perimeter={perimeter} />
    </svg>
  )
}

const sheet = 'rounded-card border border-line bg-surface text-ink shadow-dialog'

function Post() {
  return (
    <div className={`${sheet} p-4 sm:p-5 md:mr-[8%] md:ml-[4%]`}>
      <div className="flex items-center gap-3">
        <Avatar memberId="marcus-bell" name="Marcus Bell" />
        <p className="min-w-0 grow text-small text-muted">
          <b className="block text-body type-name text-ink">Marcus Bell</b>
          Captain, Engine{'\u00a0'}41
        </p>
        <Badge variant="lesson" className="max-[22.5rem]:hidden">
          <Glyph of="book" /> Lesson learned
        </Badge>
      </div>
      <p className="mt-3 text-ui">
        <b className="type-name">Lightweight truss, 11 minutes in.</b> We sounded the roof and it felt fine, until the
        fire reached the gusset plates. The tell was the ceiling: drywall nails popping in a line.
      </p>
      <p className="mt-3 rounded-control bg-sunken px-3 py-2 text-small max-sm:hidden">
        <b className="type-name">Tom Kowalczyk</b> <span className="font-[620] text-ember-text">@Dana Whitcomb</span>{' '}
        you ran the roof on Birch Street. Was the sag there before you cut?
      </p>
      <p className="mt-4 flex gap-5 text-small font-[580] text-muted tabular-nums">
        <span className="inline-flex items-center gap-1.5 text-ember-text">
          <Glyph of="thumb" className="size-4.5" /> 64
        </span>
        <span className="inline-flex items-center gap-1.5">
          <Glyph of="comment" className="size-4.5" /> 19
        </span>
      </p>
    </div>
  )
}

function Request() {
  return (
    <div className={`${sheet} ml-auto flex w-[94%] items-center gap-3 p-3.5 md:w-[70%]`}>
      <Avatar memberId="joanna-yazzie" name="Joanna Yazzie" size="sm" />
      <p className="min-w-0 grow truncate text-small text-muted">
        <b className="block text-ui type-name text-ink">Joanna Yazzie</b>
        Squad boss, Crew 7
      </p>
      <span className="inline-flex h-8 items-center gap-1.5 rounded-control border border-line px-3 type-control text-small text-ember-text">
        <Glyph of="check" className="size-4" /> <span className="max-[22.5rem]:hidden">Accept</span>
      </span>
    </div>
  )
}

function Record() {
  return (
    <div className={`${sheet} ml-auto w-[88%] p-4 md:w-[74%]`}>
      <div className="flex items-center gap-3">
        <span className="grid size-9 shrink-0 place-items-center rounded-[24%] bg-ember-soft text-ember-text">
          <Glyph of="award" className="size-5" />
        </span>
        <p className="min-w-0 grow text-small text-muted">
          <b className="block text-ui type-name text-ink">Paramedic license</b>
          Dana Whitcomb, Truck 12
        </p>
        <span className="text-small font-[620] whitespace-nowrap text-ember-text tabular-nums">41 days</span>
      </div>
      <div className="mt-4 flex gap-1 overflow-hidden">
        <i className="h-1.5 grow-[9] slant bg-line" />
        <i className="h-1.5 grow slant bg-ember" />
      </div>
      <p className="mt-2 text-small text-muted">Expires soon. Your renewal class is in two weeks.</p>
    </div>
  )
}

export function HeroArt() {
  return (
    <div aria-hidden className="relative mx-auto grid w-full max-w-[34rem] gap-3">
      <Request />
      <Post />
      <Record />
    </div>
  )
}
