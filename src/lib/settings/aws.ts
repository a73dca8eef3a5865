/** The standard variables of AWS, for what the settings of S3 leave open. */

type Environment = Record<string, string | undefined>

/** The environment with the settings of S3 that only AWS's variables have; unchanged without a bucket. */
export function withAwsVariables(environment: Environment): Environment {
  if (!environment.SVC_BLOBS) return environment
  const fallbacks = {
    SVC_S3_ENDPOINT: environment.AWS_ENDPOINT_URL_S3 || environment.AWS_ENDPOINT_URL,
    SVC_S3_REGION: environment.AWS_REGION || environment.AWS_DEFAULT_REGION,
    ...(hasOwnKey(environment) ? {} : keyOf(environment)),
  }
  const missing = Object.entries(fallbacks).filter(([name]) => !environment[name])
  return { ...environment, ...Object.fromEntries(missing) }
}

/** A key and its secret are of one place. */
function hasOwnKey({ SVC_S3_ACCESS_KEY_ID, SVC_S3_SECRET_ACCESS_KEY }: Environment): boolean {
  return Boolean(SVC_S3_ACCESS_KEY_ID || SVC_S3_SECRET_ACCESS_KEY)
}

function keyOf(environment: Environment): Environment {
  return {
    SVC_S3_ACCESS_KEY_ID: environment.AWS_ACCESS_KEY_ID,
    SVC_S3_SECRET_ACCESS_KEY: environment.AWS_SECRET_ACCESS_KEY,
    SVC_S3_SESSION_TOKEN: environment.AWS_SESSION_TOKEN,
  }
}
