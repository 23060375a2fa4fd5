/** For MSW in tests: the streams of browsers, which a context of node:vm with jsdom lacks. */
import { TransformStream, WritableStream } from 'node:stream/web'

Object.assign(globalThis, { TransformStream, WritableStream })
