/** What a run has to undo, however it ends. */

export type CleanUps = {
  /** The last added runs first. */
  add(work: () => unknown): void
  /** Runs all; one that fails doesn't keep the others. */
  run(): Promise<void>
}

export function createCleanUps(): CleanUps {
  const works: (() => unknown)[] = []
  return {
    add: (work) => void works.push(work),
    async run() {
      for (const work of works.splice(0).reverse()) {
        try {
          await work()
        } catch (error) {
          process.stderr.write(`A part of the fleet did not end: ${error}\n`)
        }
      }
    },
  }
}
