/** Formats records for people. */

type Data = {
  value: string
  strings: string[] | null
  priority: number | null
  weight: number | null
  port: number | null
}

/**
 * The numbers and the value in the order of zone files, `10 mail.example.com`; strings, and no text, in
 * quotes.
 */
export function dataOf({ priority, weight, port, value, strings }: Data): string {
  const text = strings?.map((each) => JSON.stringify(each)).join(' ') ?? (value === '' ? '""' : value)
  return [priority, weight, port, text].filter((part) => part !== null).join(' ')
}
