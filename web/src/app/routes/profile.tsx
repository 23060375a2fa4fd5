/** /profile and /profile/{userId} : a member's profile. */
import { useParams } from 'react-router-dom'
import { useMemberId } from '@/api/session/auth-context'
import { PostsOf } from '@/features/feed/components/posts-of'
import { Endorsements } from '@/features/endorsements/components/endorsements'
import { PlanCard } from '@/features/growth/components/plan-card'
import { MentorCard } from '@/features/mentors/components/mentor-card'
import { ConnectionWith } from '@/features/network/components/connection-with'
import { MenuAbout } from '@/features/network/components/menu-about'
import { WriteTo } from '@/features/network/components/write-to'
import { ShareRecord } from '@/features/records/components/share-record'
import { ProfileView } from '@/features/profile/components/profile-view'

export function Component() {
  const memberId = useMemberId()
  const { userId } = useParams()
  const personId = userId ?? memberId
  const own = personId === memberId
  return (
    <ProfileView
      key={personId}
      personId={personId}
      actions={
        own ? (
          <ShareRecord />
        ) : (
          <>
            <ConnectionWith otherId={personId} size="md" withState lead withoutMenu />
            <WriteTo otherId={personId} />
          </>
        )
      }
      menu={(items) => <MenuAbout otherId={personId}>{items}</MenuAbout>}
      hiddenActions={own ? null : <ConnectionWith otherId={personId} size="md" withState />}
      growth={
        <>
          <PlanCard ownerId={personId} />
          <MentorCard personId={personId} />
          <Endorsements memberId={personId} />
        </>
      }
      posts={<PostsOf authorId={personId} />}
    />
  )
}
