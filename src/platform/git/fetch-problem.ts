/** Why a commit could not be fetched, for the people of its project. */

/** `why` is a sentence, without anything that the forge said; with `retry` the same may succeed later. */
export type Unfetched = { fetched: false; why: string; retry: boolean }

/** A failure that stays, or one that may be gone `later`. */
export function unfetched(why: string, when: 'never' | 'later' = 'never'): Unfetched {
  return { fetched: false, why, retry: when === 'later' }
}

const noRight = unfetched(
  'The forge has no such repository, or the token has no right to read it: set a token that has.',
)

export const tooLate = unfetched('The forge took too long.', 'later')

const lost = unfetched('The connection to the forge failed.', 'later')

export const noBranch = unfetched('The repository has no such branch any more.')

/** Failures by what git writes (git 2.39; libcurl with GnuTLS and with OpenSSL); the first match counts. */
const failures: [RegExp, Unfetched][] = [
  // Git names the branch, which may be called anything.
  [/couldn't find remote ref/, noBranch],
  [/early EOF|disconnect|hung up|RPC failed/, lost],
  [
    /unadvertised object/,
    unfetched('The forge gives out the tips of branches alone, and this commit is no longer one.'),
  ],
  [/not our ref/, unfetched('The repository has no such commit: it may have been replaced by a force push.')],
  [/mismatched algorithms/, unfetched('The repository has another kind of ids than the commit.')],
  [/error: 3\d\d/, unfetched("The repository's address redirects to another one: set the new one.")],
  [/error: 5\d\d/, unfetched('The forge has a problem at present.', 'later')],
  [/error: 4(08|29)/, unfetched('The forge takes no further requests for now.', 'later')],
  [/error: 4\d\d|could not read Username|^fatal: repository '' not found$/m, noRight],
  [
    /server certificate verification failed|SSL certificate problem|SSL: .*certificate/,
    unfetched(
      "The forge's certificate is not trusted: " +
        'the operator of this server sets SVC_GIT_CA for a private authority.',
    ),
  ],
  [/Operation too slow|timed out/, tooLate],
  [/fsck error/, unfetched('The repository has an object that is unsafe or damaged.')],
]

/**
 * From the standard error of `git fetch`, without what others chose: the forge's own lines, which begin with
 * `remote:`, and addresses, which are quoted.
 */
export function problemIn(said: string): Unfetched {
  const own = said.replaceAll(/^remote:.*$/gm, '').replaceAll(/'[^'\n]*'/g, "''")
  return failures.find(([pattern]) => pattern.test(own))?.[1] ?? lost
}
