/** Business constants and limits (§9), each with its section. */
export const limits = {
  notificationsPage: 20, // §9.1
  bellItems: 5, // §9.2
  dailyMessagesToStrangers: 3, // §9.3
  searchMinLength: 2, // §9.4
  searchResults: 20, // §9.5
  broadProfiles: 50, // §9.6
  mobileBelowPx: 768, // §9.7
  mobileBarSlots: 5, // §9.8
  mentionRetries: 3, // §9.9
  mentionRetryMs: 2_000, // §9.9
  connectionRetries: 3, // §9.10
  connectionReconnects: 15, // §9.10
  backoffBaseMs: 1_000, // §9.10, §9.32
  backoffCapMs: 30_000, // §9.10, §9.32
  probeTimeoutMs: 5_000, // §9.11
  probeGoodBelowMs: 300, // §9.11
  probeEveryMs: 30_000, // §9.11
  signOutReloadMs: 500, // §9.12
  initials: 2, // §9.13
  adminNotificationPreviewChars: 100, // §9.15
  heroPhraseMs: 3_000, // §9.18
  heroFadeMs: 300, // §9.18
  chunkFailureToDashboardMs: 1_000, // §9.19
  chunkFailureReloadMs: 1_500, // §9.19
  repeatedNotFound: 3, // §9.20
  quizSteps: 7, // §9.21
  featuredPosts: 3, // §9.22
  articlesPerPage: 13,
  featuredSkeletonsMobile: 2, // §9.22
  readingWordsPerMinute: 200, // §9.23
  summaryFallbackChars: 150, // §9.24
  authorNameWidthPx: 120, // §9.26
  toastMs: 5_000, // §9.27
  toastsKept: 5, // §9.29
  toastForgottenMs: 5_000, // §9.29
  toastsVisible: 3, // §9.30
  toasterDefaultMs: 4_000, // §9.30
  cacheFreshMs: 5 * 60_000, // §9.31
  cacheKeptMs: 30 * 60_000, // §9.31
  tooltipDelayMs: 0, // §9.34
  requestTimeoutMs: 10_000, // §9.35
  realtimeHeartbeatMs: 30_000, // §9.35
  realtimeReconnectMs: [1_000, 2_000, 5_000, 10_000], // §9.35
  realtimeEventsPerSecond: 2, // §7.54
} as const

/** §9.10, §9.32: 1 s doubled with each attempt (0, 1, 2 ...), never over 30 s. */
export const backoffMs = (attempt: number) => Math.min(limits.backoffBaseMs * 2 ** attempt, limits.backoffCapMs)
