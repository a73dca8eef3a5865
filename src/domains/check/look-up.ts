/** What is asked about a domain, and what was answered. */

/** The DNS name that carries the proof of a domain. */
export function proofNameOf(domain: string): string {
  return `_svc.${domain}`
}

export type QuestionType = 'A' | 'AAAA' | 'CNAME' | 'TXT'

/**
 * The answer to a question: all the values that there are, none where the resolvers say that there are none, or the code
 * of the failure where they couldn't tell, which is no reason to change anything. `hidden` says that there are others,
 * which are nobody's to know outside of the operator's network.
 */
export type DnsAnswer = { type: QuestionType; name: string } & (
  | { values: string[]; hidden?: true }
  | { failure: string }
)

/** The answers about a domain, all asked for at the same time. */
export type LookUp = {
  /** When the questions were asked. */
  askedMs: number
  /** TXT and CNAME at the name of the proof. */
  proof: DnsAnswer
  proofAlias: DnsAnswer
  /** CNAME, A and AAAA at the domain itself. */
  alias: DnsAnswer
  addresses: DnsAnswer[]
  /** A and AAAA of the name that domains may point to, where there is one. */
  targetAddresses: DnsAnswer[]
}

/** What was answered, which is nothing where that is unknown. */
export function valuesOf(answer: DnsAnswer): string[] {
  return 'values' in answer ? answer.values : []
}

/** The first answer that is unknown. */
export function failureAmong(answers: DnsAnswer[]): (DnsAnswer & { failure: string }) | undefined {
  return answers.find((answer) => 'failure' in answer)
}
