/** What every application of a framework has, so that the same tests try all of them. */
import type { Application } from '../platform.ts'

/**
 * At `/` it renders `Made by <name>` and, unless it `isPlain`, a button `clicked 0` that counts in a browser;
 * `/api/facts` says its host, `/api/length` how long a body is, `/api/stream` says `first` and, after a
 * while, `last`; `/leave` leads to `/`.
 */
export type FrameworkApplication = Application & {
  /** The path of a form that is posted to itself. */
  form: string
  /** Where the files are whose names have a hash. */
  assets: RegExp
  /** Files of the server that nobody gets. */
  hidden: string
  /** Whether nothing of it runs in a browser. */
  isPlain?: boolean
}

/** The fields of a package that is written by hand. */
export const fields = (scripts: object, more: object = {}) => ({ private: true, scripts, ...more })

/** An expression for a stream of two parts, the second of which comes later. */
export const twoParts = `new ReadableStream({
  async start(controller) {
    const encoder = new TextEncoder()
    controller.enqueue(encoder.encode('first\\n'))
    await new Promise((resolve) => setTimeout(resolve, 300))
    controller.enqueue(encoder.encode('last\\n'))
    controller.close()
  },
})`
