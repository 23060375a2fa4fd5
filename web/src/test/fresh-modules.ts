/** For tests that share a process: each file gets its own copy of the application's modules, and of their state. */
import { vi } from 'vitest'

vi.resetModules()
