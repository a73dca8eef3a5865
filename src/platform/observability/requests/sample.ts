/** Samples requests for the log: all of a quiet project, a limited number per second of a busy one. */

/** `perSecond` is the refill, `burst` the size; `reserved` tokens are for errors. */
export type SampleRate = { perSecond: number; burst: number; reserved: number }

/** The part of a rate for one of several processes: at least one request is logged. */
export function partOf({ perSecond, burst, reserved }: SampleRate, share: number): SampleRate {
  const reservedHere = Math.floor(reserved * share)
  return {
    perSecond: perSecond * share,
    burst: Math.max(reservedHere + 1, burst * share),
    reserved: reservedHere,
  }
}

export type Sample = {
  /** Whether a request of the project that ended then is logged. */
  takes(projectId: string, nowMs: number, isError: boolean): boolean
  /** Evicts projects whose bucket is full again by then. */
  forgetIdle(nowMs: number): void
}

type Bucket = { tokens: number; refilledMs: number }

/** A token bucket for each project, and one for all of them. */
export function createSample(ofProject: SampleRate, ofAll: SampleRate): Sample {
  const buckets = new Map<string, Bucket>()
  const all: Bucket = { tokens: ofAll.burst, refilledMs: 0 }
  const fullAfterMs = (ofProject.burst / ofProject.perSecond) * 1_000

  return {
    takes(projectId, nowMs, isError) {
      let bucket = buckets.get(projectId)
      if (bucket === undefined) {
        bucket = { tokens: ofProject.burst, refilledMs: nowMs }
        buckets.set(projectId, bucket)
      }
      if (!allows(bucket, ofProject, nowMs, isError) || !allows(all, ofAll, nowMs, isError)) return false
      bucket.tokens -= 1
      all.tokens -= 1
      return true
    },
    forgetIdle(nowMs) {
      for (const [projectId, { refilledMs }] of buckets) {
        if (Math.abs(nowMs - refilledMs) >= fullAfterMs) buckets.delete(projectId)
      }
    },
  }
}

function allows(bucket: Bucket, rate: SampleRate, nowMs: number, isError: boolean): boolean {
  // A clock that was set back gives no tokens, and doesn't stop the refill until it has caught up.
  const passedMs = Math.max(0, nowMs - bucket.refilledMs)
  bucket.tokens = Math.min(rate.burst, bucket.tokens + (passedMs * rate.perSecond) / 1_000)
  bucket.refilledMs = nowMs
  return bucket.tokens >= (isError ? 1 : rate.reserved + 1)
}
