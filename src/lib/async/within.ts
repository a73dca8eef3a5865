/** A limit to how long something is waited for that may never settle. */

/** Settles as `work` does, or, when that takes longer than `limitMs`, as `late` does, which may throw. */
export function within<T, L>(limitMs: number, work: Promise<T>, late: () => L | Promise<L>): Promise<T | L> {
  // By hand, since nearly every call passes here: `Promise.race` makes five promises more.
  return new Promise((resolve, reject) => {
    const isOver = () => Promise.resolve().then(late).then(resolve, reject)
    // Not what a process that is stopping stays for.
    const timer = setTimeout(isOver, limitMs).unref()
    work.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
