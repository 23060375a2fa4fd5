/**
 * Sends what was written, in order and once (§17.2). An entry is kept before it is sent and removed after the answer, and
 * its id makes a second attempt harmless: so it survives a restart at any moment. One tab sends at a time; the others hear
 * of it.
 */
import { backoffMs } from '@/config/limits'
import { logError } from '@/lib/browser/log'
import { changeAfter, type Draft, type Entry, entryOf, nextOf, type Outcome, type Snapshot } from './entry'
import type { Store } from './store'
import { refusalOf, type Verdict, verdictOf } from './verdict'

/** How entries of one kind are sent. */
export interface Handler {
  /** Rejects where it was not sent (verdict.ts). May be called again for an entry that was sent. */
  send: (entry: Entry) => Promise<unknown>
  /** Shows it as sent: in every tab; `here` in the one that sent it. */
  sent: (entry: Entry, here: boolean) => void
  /** What follows, like the notification of its recipient: once, unless the page is closed meanwhile. */
  after?: (entry: Entry) => Promise<void>
}

/** What tabs tell each other: that something changed, or what was sent. */
interface Notice {
  memberId: string
  sent: Entry | null
}

export interface Channel<Message = Notice> {
  post: (notice: Message) => void
  close: () => void
}

interface Options {
  memberId: string
  store: Store
  load: (kind: string) => Promise<Handler>
  /** Whether the member is still signed in here. */
  maySend: () => Promise<boolean>
  isOnline: () => boolean
  /** Runs work while no other tab does. */
  exclusively: (work: () => Promise<void>) => Promise<void>
  openChannel: (heard: (notice: Notice) => void) => Channel
}

/** A list shows an entry from the start; a form shows it until its first outcome, and takes a refusal back. */
export type Origin = 'form' | 'list'

/** A request ends by itself before (limits.requestTimeoutMs); a token, a script or another tab may take longer. */
const patienceMs = 20_000

const inTime = <T>(work: Promise<T>): Promise<T> => {
  let timer = 0
  const late = new Promise<never>((_resolve, reject) => {
    timer = window.setTimeout(() => reject(new DOMException('No answer in time', 'TimeoutError')), patienceMs)
  })
  return Promise.race([work, late]).finally(() => window.clearTimeout(timer))
}

export type Outbox = ReturnType<typeof createOutbox>

export function createOutbox({ memberId, store, load, maySend, isOnline, exclusively, openChannel }: Options) {
  let snapshot: Snapshot = { entries: [], stalled: false }
  const listeners = new Set<() => void>()
  /** Who waits for the first answer, by entry; `isDue` once a round has begun that should bring it. */
  const waiters = new Map<string, { from: Origin; resolve: (outcome: Outcome) => void; isDue: boolean }>()
  let rounds = 0
  let timer = 0
  let running = false
  let again = false
  let stopped = false

  const show = (change: Partial<Snapshot>) => {
    snapshot = { ...snapshot, ...change }
    listeners.forEach((listener) => listener())
  }
  const settle = (id: string, outcome: Outcome) => {
    waiters.get(id)?.resolve(outcome)
    if (waiters.delete(id)) show({}) // lists show what a form no longer does
  }
  const isInForm = (id: string) => waiters.get(id)?.from === 'form'
  const refresh = async () => {
    const entries = await store.all(memberId)
    if (!stopped) show({ entries: entries.filter(({ state }) => state !== 'sent') })
    return entries
  }

  const heard = ({ memberId: whose, sent }: Notice) => {
    if (whose !== memberId || stopped) return
    void refresh().then(schedule)
    if (!sent) return
    settle(sent.id, { state: 'sent', result: sent.result })
    load(sent.kind).then(
      (handler) => handler.sent(sent, false),
      (cause: unknown) => logError('What another tab sent could not be shown', cause),
    )
  }
  const channel = openChannel(heard)
  const changed = async () => {
    await refresh()
    if (!stopped) channel.post({ memberId, sent: null })
  }

  /** What follows a sent entry; then it is done with. */
  const finish = async (entry: Entry, handler: Handler) => {
    await inTime(handler.after?.(entry) ?? Promise.resolve()).catch((cause: unknown) =>
      logError('Something was sent, and what follows was not done', cause),
    )
    if (!stopped) await store.remove(entry.seq)
  }

  const succeed = async (entry: Entry, handler: Handler, result: unknown) => {
    const sent: Entry = { ...entry, state: 'sent', result }
    await store.change(entry.seq, { state: 'sent', result })
    rounds = 0
    show({ stalled: false })
    channel.post({ memberId, sent })
    try {
      handler.sent(sent, true)
    } catch (cause) {
      logError('What was sent could not be shown', cause)
    }
    finishing.push(finish(sent, handler))
  }

  const fail = async (entry: Entry, cause: unknown): Promise<Verdict> => {
    logError('Something was not sent', cause)
    const [verdict, refusal] = [verdictOf(cause), refusalOf(cause)]
    const change = changeAfter(entry, verdict, refusal)
    if (verdict === 'refused' && isInForm(entry.id)) await store.remove(entry.seq) // its form still shows it
    else if (change) await store.change(entry.seq, change)
    if (verdict === 'unanswered') show({ stalled: true })
    return verdict
  }

  const attempt = async (entry: Entry): Promise<Verdict | 'sent' | 'stopped'> => {
    const handler = inTime(load(entry.kind))
    const got = await handler
      .then(({ send }) => inTime(send(entry)))
      .then(
        (result) => ({ result }),
        (cause: unknown) => ({ cause }),
      )
    if (stopped) return 'stopped'
    if ('result' in got) await succeed(entry, await handler, got.result)
    const came = 'cause' in got ? await fail(entry, got.cause) : 'sent'
    await changed()
    if ('result' in got) settle(entry.id, { state: 'sent', result: got.result })
    else if (came === 'refused') settle(entry.id, { state: came, refusal: refusalOf(got.cause) })
    else settle(entry.id, { state: 'waiting', tried: true })
    return came
  }
  let finishing: Promise<void>[] = []

  const sendAll = async () => {
    const heldUp = new Set<string>()
    finishing = []
    if (stopped) return
    waiters.forEach((waiter) => (waiter.isDue = true))
    if (!(await inTime(maySend()).catch(() => false))) return show({ stalled: true })
    for (const entry of (await store.all(memberId)).filter(({ state }) => state === 'sent'))
      finishing.push(load(entry.kind).then((handler) => finish(entry, handler)))
    for (;;) {
      const entry = stopped ? undefined : nextOf(await store.all(memberId), heldUp)
      const came = entry ? await attempt(entry) : 'stopped'
      if (came === 'stopped' || came === 'unanswered') break
      if (entry && came === 'busy') heldUp.add(entry.lane)
    }
    await Promise.allSettled(finishing)
  }

  /** Tries again after a while, as long as something waits. */
  const schedule = () => {
    window.clearTimeout(timer)
    if (stopped || !isOnline() || !snapshot.entries.some(({ state }) => state === 'waiting')) return
    timer = window.setTimeout(() => {
      rounds += 1
      void run()
    }, backoffMs(rounds))
  }

  const run = async (): Promise<void> => {
    if (stopped || running || !isOnline()) {
      again = running
      return
    }
    running = true
    do {
      again = false
      await exclusively(sendAll).catch((cause: unknown) => logError('The outbox could not be sent', cause))
    } while (again && !stopped && !snapshot.stalled)
    running = false
    // Another tab sent it, or it waits behind an earlier one of its lane: in either case no longer in the form.
    for (const [id, { isDue }] of waiters) if (isDue) settle(id, { state: 'waiting', tried: false })
    await refresh()
    schedule()
  }

  const wake = () => {
    rounds = 0
    void run()
  }
  const onVisible = () => {
    if (document.visibilityState === 'visible') wake()
  }
  const entryOfId = (id: string) => snapshot.entries.find((entry) => entry.id === id)

  return {
    memberId,
    start: () => {
      window.addEventListener('online', wake)
      document.addEventListener('visibilitychange', onVisible)
      void store.keepOnly(memberId).then(refresh).then(run)
    },
    stop: () => {
      stopped = true
      window.clearTimeout(timer)
      window.removeEventListener('online', wake)
      document.removeEventListener('visibilitychange', onVisible)
      channel.close()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    current: () => snapshot,
    /** Keeps it, begins to send it, and says what came of the first attempt. */
    submit: async (draft: Draft, from: Origin, onKept?: () => void): Promise<Outcome> => {
      const outcome = new Promise<Outcome>((resolve) => {
        if (isOnline()) waiters.set(draft.id, { from, resolve, isDue: false })
        else resolve({ state: 'waiting', tried: false })
      })
      await store.add(entryOf(draft, memberId, new Date().toISOString()))
      onKept?.()
      await changed()
      void run()
      // Another tab may be frozen while it has the lock, or has much to send: no form waits for that.
      const late = window.setTimeout(() => settle(draft.id, { state: 'waiting', tried: false }), patienceMs)
      return outcome.finally(() => window.clearTimeout(late))
    },
    /** Whether a form shows it, so that no list needs to. */
    isInForm,
    retry: async (id: string) => {
      const entry = entryOfId(id)
      if (entry) await store.change(entry.seq, { state: 'waiting', refusal: null })
      await changed()
      wake()
    },
    remove: async (id: string) => {
      const entry = entryOfId(id)
      if (entry) await store.remove(entry.seq)
      await changed()
    },
  }
}
