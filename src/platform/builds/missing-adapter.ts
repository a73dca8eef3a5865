/** Explains failures of builds of Astro that need an adapter for the server that its pages are for. */

export type MissingAdapter = {
  /** Takes a line of the build's output. */
  look(line: string): void
  /** The sentence that says how one is added; undefined where none was missing. */
  sentence(): string | undefined
}

const message = /\bNoAdapterInstalled\b|Cannot use server-rendered pages without an adapter/

const advice =
  'Astro makes a server with its adapter for Node: `npm install @astrojs/node`, and set ' +
  "`adapter: node({ mode: 'standalone' })` in its configuration."

/** Watches the output of a command of a build. */
export function createMissingAdapter(): MissingAdapter {
  let isMissing = false
  return {
    look(line) {
      isMissing ||= message.test(line)
    },
    sentence: () => (isMissing ? advice : undefined),
  }
}
