UPDATE "sessions" SET "proven_by" = 'password' WHERE "proven_by" IN ('second_factor', 'passkey') AND NOT EXISTS (
  SELECT FROM "second_factors" WHERE "user_id" = "sessions"."user_id" AND ("confirmed_ms" IS NOT NULL OR EXISTS (
    SELECT FROM "passkeys" WHERE "passkeys"."user_id" = "second_factors"."user_id")));
