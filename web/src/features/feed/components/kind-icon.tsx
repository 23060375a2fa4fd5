/** The icon of each kind of post. */
import { BookOpen, CircleHelp, GraduationCap, Hammer, TextAlignStart } from 'lucide-react'
import type { Kind } from '../model'

const icons = {
  lesson: BookOpen,
  training: GraduationCap,
  project: Hammer,
  question: CircleHelp,
  general: TextAlignStart,
}

export function KindIcon({ kind }: { kind: Kind }) {
  const Icon = icons[kind]
  return <Icon aria-hidden />
}
