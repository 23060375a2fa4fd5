/** Combines many calls within a short time into one. */
export interface Coalesced {
  (): void
  cancel: () => void
}

export function coalesce(run: () => void, withinMs = 150): Coalesced {
  let timer: ReturnType<typeof setTimeout> | undefined
  const call = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      run()
    }, withinMs)
  }
  return Object.assign(call, {
    cancel: () => {
      clearTimeout(timer)
      timer = undefined
    },
  })
}
