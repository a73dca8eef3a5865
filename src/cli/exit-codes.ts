/** The exit codes of `svc`, for scripts. */

export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  notAllowed: 3,
  notFound: 4,
  conflict: 5,
  unavailable: 6,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The meaning of each code, for `--help`. */
export const exitCodesText = `\
Exit codes: 0 success; 1 failed or refused; 2 wrong usage or input; 3 not logged in, or not allowed;
4 not found; 5 conflict with the current state; 6 server unavailable or busy; 130 interrupted.`
