/** What a member asks for in a menu: report, mute, block. Any module may ask; the host of the member area answers. */
export type Subject = { kind: 'post' | 'comment' | 'message' | 'profile' | 'endorsement'; id: string }

export interface Person {
  id: string
  name: string
}

export type SafetyRequest =
  | { act: 'report'; subject: Subject; person: Person | null }
  | { act: 'mute' | 'block'; person: Person }

let listener: ((request: SafetyRequest) => void) | null = null

export function askForSafety(request: SafetyRequest): void {
  listener?.(request)
}

/** Returns the way to stop listening. */
export function onSafetyRequest(listen: (request: SafetyRequest) => void): () => void {
  listener = listen
  return () => {
    if (listener === listen) listener = null
  }
}
