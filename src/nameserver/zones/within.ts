/** A limit to how long the database is waited for: a query whose connection is lost may never settle. */

/** Settles as `answer` does, or rejects after `limitMs`. */
export async function within<T>(limitMs: number, answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The database takes too long.')), limitMs)
  })
  try {
    return await Promise.race([answer, over])
  } finally {
    clearTimeout(timer)
  }
}
