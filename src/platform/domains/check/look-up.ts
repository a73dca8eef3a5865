/** The DNS lookups for a domain, and their answers. */

/** The DNS name of a domain's proof. */
export function proofNameOf(domain: string): string {
  return `_svc.${domain}`
}

export type QuestionType = 'A' | 'AAAA' | 'CNAME' | 'TXT'

/**
 * The answer to a question: all values, possibly none, or the code of a failure, which is no reason for a
 * change. `hidden` means that there are other values, inside the operator's network, which aren't revealed.
 */
export type DnsAnswer = { type: QuestionType; name: string } & (
  | { values: string[]; hidden?: true }
  | { failure: string }
)

/** The answers about a domain, from concurrent lookups. */
export type LookUp = {
  /** When the lookups began. */
  lookedUpMs: number
  /** TXT and CNAME at the name of the proof. */
  proof: DnsAnswer
  proofAlias: DnsAnswer
  /** CNAME, A and AAAA at the domain itself. */
  alias: DnsAnswer
  addresses: DnsAnswer[]
  /** A and AAAA of the name that domains may point to, where there is one. */
  targetAddresses: DnsAnswer[]
}

/** The answers; none where they are unknown. */
export function valuesOf(answer: DnsAnswer): string[] {
  return 'values' in answer ? answer.values : []
}

/** The first answer that is unknown. */
export function failureAmong(answers: DnsAnswer[]): (DnsAnswer & { failure: string }) | undefined {
  return answers.find((answer) => 'failure' in answer)
}
