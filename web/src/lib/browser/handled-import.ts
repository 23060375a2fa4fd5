/** Lazy imports whose failure the caller handles: chunk-failure recovery ignores them (§8.8-11). */

const handled = new WeakSet<Error>()

/** Loads a module; the caller handles a failure, or retries later. */
export async function importHandled<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    if (cause instanceof Error) handled.add(cause)
    throw cause
  }
}

export const isHandledByImporter = (failure: Error) => handled.has(failure)
