/** Formats records for people. */

type Data = { value: string; priority: number | null; weight: number | null; port: number | null }

/** The numbers and the value in the order of zone files: `10 mail.example.com`. */
export function dataOf({ priority, weight, port, value }: Data): string {
  return [priority, weight, port, value].filter((part) => part !== null).join(' ')
}
