/** Lazy imports whose failure the caller handles: the chunk-failure recovery does not reload the page for them (§8.8-11). */

const handled = new WeakSet<Error>()

/** Loads a module; the caller handles a failure, or tries again later. */
export async function importHandled<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (cause) {
    if (cause instanceof Error) handled.add(cause)
    throw cause
  }
}

export const isHandledByImporter = (failure: Error) => handled.has(failure)
