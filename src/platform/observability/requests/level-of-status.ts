/** How loud a response is in the log. */

/** The level of a request's line, by the first digit of its status. */
export function levelOfDigit(digit: number): 'info' | 'warn' | 'error' {
  if (digit >= 5) return 'error'
  return digit === 4 ? 'warn' : 'info'
}

/** The level of every line with this status, such as `404`, or of this class, such as `4xx`. */
export function levelOfStatus(status: string): 'info' | 'warn' | 'error' {
  return levelOfDigit(Number(status[0]))
}

/** Whether all requests at the level of this status or class have it: those of 4xx, and of 5xx. */
export function hasOwnLevel(status: string): boolean {
  return status === '4xx' || status === '5xx'
}
