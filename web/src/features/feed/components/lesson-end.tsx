/** The end of a lesson's text: who comes to it has read the lesson, which is one of the first steps (§16.5). */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { firstStepsKey, firstStepsQuery, readFirstLesson } from '@/api/first-steps/queries'
import { useMemberId } from '@/api/session/auth-context'
import { logError } from '@/lib/browser/log'

export function LessonEnd({ postId }: { postId: string }) {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const spot = useRef<HTMLSpanElement>(null)
  const isOpen = useQuery({ ...firstStepsQuery(memberId), refetchOnMount: true, staleTime: Infinity }).data?.hasRead
  const read = useEffectEvent(() => {
    readFirstLesson(postId)
      .then(() => queryClient.invalidateQueries({ queryKey: firstStepsKey(memberId) }))
      .catch((cause: unknown) => logError('The lesson was not marked as read', cause))
  })
  useEffect(() => {
    if (isOpen !== false || !spot.current) return
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return
      observer.disconnect()
      read()
    })
    observer.observe(spot.current)
    return () => observer.disconnect()
  }, [isOpen])
  return <span ref={spot} aria-hidden className="block h-px" />
}
