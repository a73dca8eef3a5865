/** The labels of branches and pull requests below the sites' domain. */
import { hash } from 'node:crypto'

/** The longest name of a branch with an address: as long as a file's name may be. */
export const maxBranchBytes = 250

/** The longest DNS label (RFC 1035, section 2.3.4). */
const maxLabelLength = 63

/**
 * The label of a project's branch: `web` and `next` give `web-git-next`. A branch whose name is no label has
 * six digits of its hash as well, so that `a/b` and `a-b` differ: `web-git-a-b-c14cdd`.
 */
export function branchLabel(project: string, branch: string): string {
  const slug = branch
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  const label = `${project}-git-${slug}`
  return slug === branch && label.length <= maxLabelLength ? label : withDigits(label, hash('sha256', branch))
}

/**
 * The label of a pull request of a fork: `web` and 7 give `web-pr-7`. Only another project can have it by its
 * name, since those of branches have `-git-`.
 */
export function pullRequestLabel(project: string, number: number): string {
  const label = `${project}-pr-${number}`
  return label.length <= maxLabelLength ? label : withDigits(label, hash('sha256', label))
}

/** The label with the first six of the digits, cut to what a label may have. */
export function withDigits(label: string, digits: string): string {
  const end = `-${digits.slice(0, 6)}`
  return `${label.slice(0, maxLabelLength - end.length).replace(/-+$/, '')}${end}`
}
