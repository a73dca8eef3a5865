/** A request to a server, whichever client sends it. */
import type { Side } from './tunnel.ts'

/** Receives what a server responds with, as it comes; fields are raw as those of node:http. */
export type Receiver = {
  /** Something of the request was taken. */
  heard(): void
  /** The server wants the body. */
  wantsBody(): void
  /** An answer before the last one. */
  hints(status: number, rawHeaders: readonly string[]): void
  /** The head of the answer. @throws Error for what the visitor can't get. */
  begins(status: number, rawHeaders: readonly string[]): void
  /** A part of its body; false where no more may come until the request is to `goOn`. */
  goesOn(chunk: Buffer): boolean
  /** It is whole. */
  ends(rawTrailers: readonly string[]): void
  /** The connection speaks another protocol from now on. */
  switches(rawHeaders: readonly string[], server: Side): void
  /** There is no answer, or no more of it. */
  fails(error: unknown): void
}

export type Sent = {
  /** Whether its connection has brought an answer to another one before, and nothing of one to this. */
  wasKept(): boolean
  /** Takes more of the answer. */
  goOn(): void
  /** Ends it, unless both it and the answer are complete. */
  stop(): void
}

/** Sends the request. @throws Error for one that can't be sent. */
export type Send = (receiver: Receiver) => Sent
