/** The member's notification settings and their mutation (§5.12, §7.4-5, §8.20, §8.39). */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import {
  type PreferenceKey,
  type NotificationPreference,
  type NotificationSettings,
  parseNotificationSettings,
} from '@/api/notifications/settings'
import { notificationsRoot } from '@/api/notifications/keys'
import { profileQuery } from '@/api/profiles/queries'
import { useUpdateProfile } from '@/api/profiles/use-update-profile'
import { useMemberId } from '@/api/session/auth-context'
import { showToast } from '@/lib/toasts/toast'
import { copy } from './copy'

export function useNotificationSettings() {
  const memberId = useMemberId()
  const queryClient = useQueryClient()
  const profile = useQuery(profileQuery(memberId))
  const update = useUpdateProfile()
  const settings = parseNotificationSettings(profile.data?.notification_settings)
  const save = (next: NotificationSettings) =>
    update.mutate(
      { notification_settings: next },
      {
        onSuccess: () => {
          showToast({ ...copy.saved, id: 'notification-settings' })
          // The bell's count depends on the settings.
          void queryClient.invalidateQueries({ queryKey: notificationsRoot })
        },
        onError: () => showToast({ ...copy.saveFailed, id: 'notification-settings' }),
      },
    )
  return {
    isPending: profile.isPending,
    /** Settings that failed to load must not be changed: the defaults would overwrite them. */
    unreadable: !profile.isPending && !profile.data,
    retry: () => void profile.refetch(),
    settings,
    change: (part: Partial<Pick<NotificationSettings, 'globalMute' | 'emailGlobalMute'>>) =>
      save({ ...settings, ...part }),
    changePreference: (key: PreferenceKey, part: Partial<NotificationPreference>) =>
      save({
        ...settings,
        preferences: { ...settings.preferences, [key]: { ...settings.preferences[key], ...part } },
      }),
  }
}
