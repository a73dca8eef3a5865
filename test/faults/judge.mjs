/** Judges whether the tests catch a fault. */

/** Plants the fault in the tree, runs its tests, and leaves the tree as it was. */
export async function judge(tree, fault) {
  const startedMs = performance.now()
  const undo = [await tree.plant([fault])]
  try {
    if (fault.built) undo.push(await tree.build())
    const result = await runUntilCaught(tree, fault)
    return { ...result, seconds: Math.round((performance.now() - startedMs) / 1000) }
  } finally {
    for (const each of undo) await each()
  }
}

async function runUntilCaught(tree, { tests, slow }) {
  const short = await tree.runShort(tests)
  if (short.bit) return { caughtBy: 'npm test', by: short.by }
  const all = slow && (await tree.runAll(tests))
  return all?.bit ? { caughtBy: 'test:all', by: all.by } : { caughtBy: 'NOT CAUGHT', by: short.by }
}
