/** Saves a text as a file. */
export function download(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
