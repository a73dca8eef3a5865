/** A typed client of svc's API, and the types of its procedures. */

/** The runtime's own, where its types are known. */
type Signal = typeof globalThis extends { AbortSignal: { prototype: infer Known } }
  ? Known
  : { readonly aborted: boolean }

type Fetch = typeof globalThis extends { fetch: infer Known }
  ? Known
  : (url: string, init?: object) => Promise<{ ok: boolean; json(): Promise<unknown> }>

type Type = 'query' | 'mutation' | 'subscription'

/** A message of a subscription, with the id after which it resumes. */
export type Tracked<Data> = { id: string; data: Data }

/** A procedure as tRPC's own types describe it. */
type Procedure<T extends Type, Input, Output> = {
  _def: {
    $types: { input: Input; output: Output; errorShape: ErrorShape }
    procedure: true
    type: T
    meta: unknown
    experimental_caller: boolean
    inputs: never[]
  }
  meta: unknown
  (options: unknown): Promise<Output>
}

/** The router's types, for other clients of tRPC: `createTRPCClient<AppRouter>`. */
export type AppRouter = {
  _def: {
    _config: {
      $types: { ctx: object; meta: object; errorShape: ErrorShape; transformer: false }
      transformer: never
      errorFormatter: never
      allowOutsideOfServer: boolean
      isServer: boolean
      isDev: boolean
      pathSeparator: never
    }
    router: true
    procedures: Procedures
    record: Procedures
    lazy: Record<string, never>
  }
  createCaller: never
}

type InputsOf<Of> = {
  [Name in keyof Of]: Of[Name] extends Procedure<Type, infer Input, infer _> ? Input : InputsOf<Of[Name]>
}

type OutputsOf<Of> = {
  [Name in keyof Of]: Of[Name] extends Procedure<Type, infer _, infer Output> ? Output : OutputsOf<Of[Name]>
}

/** The input of each procedure: `RouterInputs['projects']['put']`. */
export type RouterInputs = InputsOf<Procedures>

/** The output of each procedure: `RouterOutputs['projects']['put']`; of subscriptions, of each iteration. */
export type RouterOutputs = OutputsOf<Procedures>

export type CallOptions = {
  /** Aborts the call. */
  signal?: Signal | undefined
  /**
   * `idempotencyKey`: sent again with it, a mutation takes effect once. `retry: false` makes the call once.
   */
  context?: { idempotencyKey?: string; retry?: false } | undefined
}

export type Subscriber<Data> = {
  /** Called with each value. */
  onData: (data: Data) => void
  /** Called once, when the subscription fails for good. */
  onError?: (error: ClientError) => void
  /** Called once, when the server has nothing more. */
  onComplete?: () => void
}

type DataOf<Output> = Output extends AsyncIterable<infer Data> ? Data : Output

type Call<T extends Type, Input, Output> = {
  query: { query(input: Input, options?: CallOptions): Promise<Output> }
  mutation: { mutate(input: Input, options?: CallOptions): Promise<Output> }
  subscription: {
    subscribe(
      input: Input,
      options: Subscriber<DataOf<Output>> & { signal?: Signal },
    ): { unsubscribe(): void }
  }
}[T]

type CallsOf<Of> = {
  [Name in keyof Of]: Of[Name] extends Procedure<infer T, infer Input, infer Output>
    ? Call<T, Input, Output>
    : CallsOf<Of[Name]>
}

/** A client: `client.projects.get.query({ project })`, `client.projects.put.mutate({ project })`. */
export type Client = CallsOf<Procedures>

export type ClientOptions = {
  /** The API's address, such as `http://localhost:3000`. */
  url: string
  /** An API key or a JWT; without it, a page's own session or `cookie` is used. */
  token?: string | undefined
  /** The `Cookie` header of a session, for programs other than pages. */
  cookie?: string | undefined
  /** The slug or id of the team in which a session acts; default: its user's own. */
  team?: string | undefined
  /** Sends the requests, except those of subscriptions; default: the global `fetch`. */
  fetch?: Fetch
  /** How to wait for a busy server; `false` makes each call once and makes no Idempotency-Keys. */
  retry?: RetryOptions | false
}

/** How a client waits. */
export type RetryOptions = {
  /** Called when calls begin to wait, with the milliseconds, and why. */
  onWait?: (ms: number, why: WaitReason) => void
  /** Ends all waits when it aborts: the calls fail with its reason. */
  signal?: Signal
}

/** Why a call waits before it is made again. */
export type WaitReason =
  | 'too many requests'
  | 'the server is unavailable'
  | 'the disk of the server is full'
  | 'the connection was lost'

/**
 * A typed client of the API. Calls made at the same time share a request, except those that are a `POST` in
 * the REST API: these have an Idempotency-Key, made here or given, and take effect once however often they
 * are sent. Refused and lost calls are made again, for up to a minute. If the server requires a JWT, the
 * client exchanges its API key or session for one at the first call that is refused without.
 */
export declare function createClient(options: ClientOptions): Client

/** The error of a call that failed; without `data` where no response came. */
export interface ClientError extends Error {
  readonly data?: ErrorShape['data'] | null | undefined
}

/** Whether a call failed with this error. */
export declare function isClientError(error: unknown): error is ClientError
