/** Events at forges, in the same words for each forge. */

export type ForgeRepository = {
  /** Which stays through renames. */
  id: string
  /** By which it is known: for people and to clone it, over https alone. */
  urls: string[]
  /** `owner/name` */
  name: string
  /** For people. */
  url: string
  /** Undefined where the forge doesn't say. */
  defaultBranch: string | undefined
}

/** Names of people, titles and messages are one line each, without control characters. */
export type ForgeEvent =
  | {
      kind: 'push'
      repository: ForgeRepository
      branch: string
      commit: string
      /** The first line of the commit's. */
      message: string | undefined
      /** The author of the commit. */
      author: string | undefined
      pusher: string | undefined
      /**
       * Paths that its commits add, modify or remove; undefined where the forge may have left some out.
       * GitLab and Gitea don't say that a push was forced: what such a push took away is missing.
       */
      changed: string[] | undefined
    }
  | { kind: 'branch_deleted'; repository: ForgeRepository; branch: string }
  | {
      kind: 'pull_request'
      repository: ForgeRepository
      /** `updated` is another commit; `closed` is merged, too. */
      action: PullRequestAction
      number: number
      title: string
      /** Who opened it; undefined where the forge doesn't say. */
      author: string | undefined
      /** That would be merged, by its name in the repository where it is. */
      branch: string
      /** Into which. */
      base: string
      /** The newest of the branch. */
      commit: string
      /** Whether the branch is of another repository, or may be by somebody who can't write to this one. */
      fork: boolean
    }
  | { kind: 'ping' }
  /** `why` is a sentence for whoever set the webhook up. */
  | { kind: 'ignored'; why: string }

export type PullRequestAction = 'opened' | 'updated' | 'reopened' | 'closed'
