/** A limit to how long something is waited for that may never settle. */

/** Settles as `work` does, or, when that takes longer than `limitMs`, as `late` does, which may throw. */
export async function within<T, L>(
  limitMs: number,
  work: Promise<T>,
  late: () => L | Promise<L>,
): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<void>((resolve) => {
    // Not what a process that is stopping stays for.
    timer = setTimeout(resolve, limitMs).unref()
  })
  try {
    return await Promise.race([work, over.then(late)])
  } finally {
    clearTimeout(timer)
  }
}
