/** /post/{id} : one post. */
import { useParams } from 'react-router-dom'
import { PostPage } from '@/features/feed/components/post-page'

export function Component() {
  const { id = '' } = useParams()
  return (
    <div className="mx-auto max-w-[40rem]">
      <PostPage key={id} postId={id} />
    </div>
  )
}
