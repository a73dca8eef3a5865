/** Nodes that all tests of a file share, but not other files, so that unused nodes hold no connections. */

type Stoppable = { stop(): Promise<void> }

let stops: (() => Promise<void>)[] = []

/**
 * A function that starts the node on the first call of a file, and returns the same one until the file has
 * ended.
 */
export function nodeOfFile<T extends Stoppable>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined
  return () => {
    if (started) return started
    const node = start()
    started = node
    stops.push(async () => {
      started = undefined
      await (await node).stop()
    })
    return node
  }
}

/** Stops what the tests of a file have started, after all of them. */
export async function stopNodesOfFile(): Promise<void> {
  const ending = stops
  stops = []
  await Promise.all(ending.map((stop) => stop()))
}
