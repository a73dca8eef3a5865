/** Terminal output as text. */

const sequence = String.raw`\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])`
const control = String.raw`[\u0000-\u0008\u000b-\u001f\u007f]`
const unprintable = new RegExp(`${sequence}|${control}`, 'g')

/** Without escape sequences (ECMA-48) and control characters. */
export function plainText(line: string): string {
  return line.replaceAll(unprintable, '')
}
