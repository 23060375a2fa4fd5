/** Comments that are not sent, where they will be (§17.2). */
import { UnsentState } from '@/components/unsent-state'
import type { Unsent } from '@/lib/device/outbox/use-outbox'
import { copy } from '../copy'
import type { WrittenComment } from '../outbox'
import { reasonFor } from '../use-comments'
import { OwnAvatar } from './own-avatar'
import { RichText } from './rich-text'

interface Props {
  comments: readonly Unsent<WrittenComment>[]
  /** Puts it back into its form, if there is one. */
  onEdit?: (comment: Unsent<WrittenComment>) => void
}

export function UnsentComments({ comments, onEdit }: Props) {
  return comments.map((comment) => (
    <div key={comment.id} data-slot="comment" className="flex gap-3">
      <OwnAvatar size="sm" />
      <div className="grid min-w-0 grow grid-cols-1 gap-1">
        <div className="rounded-card border border-dashed border-line-strong px-3 py-2 text-ui">
          <RichText text={comment.payload.content} named={comment.payload.mentions} />
        </div>
        <UnsentState
          id={comment.id}
          delivery={comment.delivery}
          reason={comment.refusal && reasonFor(comment.refusal)}
          what={copy.unsent.comment}
          onEdit={onEdit && (() => onEdit(comment))}
        />
      </div>
    </div>
  ))
}
