/** Page scripts whose failure is answered by whoever asked for them: the page is not reloaded for those (§8.8-11). */

const answered = new WeakSet<Error>()

/** Loads a module; when that fails the caller says so in its own way, or asks again later. */
export async function withOwnAnswer<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    if (cause instanceof Error) answered.add(cause)
    throw cause
  }
}

export const isAnsweredElsewhere = (failure: Error) => answered.has(failure)
