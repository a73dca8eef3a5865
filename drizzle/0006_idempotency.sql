CREATE TABLE "idempotency_keys" (
	"team_id" text NOT NULL,
	"user_id" text NOT NULL,
	"operation" text NOT NULL,
	"key" text NOT NULL,
	"claim" text NOT NULL,
	"input_sha256" text NOT NULL,
	"answer" json,
	"until_ms" bigint NOT NULL,
	CONSTRAINT "idempotency_keys_team_id_user_id_operation_key_pk" PRIMARY KEY("team_id","user_id","operation","key")
);
--> statement-breakpoint
CREATE INDEX "idempotency_keys_by_end" ON "idempotency_keys" USING btree ("until_ms");