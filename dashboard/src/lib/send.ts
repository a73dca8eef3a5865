/** Sends a body with progress, which `fetch` doesn't report. */

export type Sent = { status: number; text: string; retryAfterMs: number | undefined }

type Request = {
  method: 'PUT' | 'POST'
  url: string
  headers: Record<string, string>
  body: Blob
  signal: AbortSignal
  /** Bytes since the last report; negative when they have to be sent again. */
  onSent: (bytes: number) => void
}

/** Resolves with any response. @throws TypeError when none came; the signal's reason when aborted. */
export function send({ method, url, headers, body, signal, onSent }: Request): Promise<Sent> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    const request = new XMLHttpRequest()
    let sent = 0
    const report = (total: number) => {
      onSent(total - sent)
      sent = total
    }
    const abort = () => request.abort()
    const end = () => signal.removeEventListener('abort', abort)
    request.upload.addEventListener('progress', ({ loaded }) => report(Math.min(loaded, body.size)))
    request.addEventListener('load', () => {
      end()
      const { status, responseText: text } = request
      report(status < 300 ? body.size : 0)
      const seconds = Number(request.getResponseHeader('retry-after') ?? Number.NaN)
      resolve({ status, text, retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : undefined })
    })
    request.addEventListener('error', () => {
      end()
      report(0)
      reject(new TypeError('The connection broke.'))
    })
    request.addEventListener('abort', () => {
      end()
      report(0)
      reject(signal.reason)
    })
    signal.addEventListener('abort', abort)
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.send(body)
  })
}
