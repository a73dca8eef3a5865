CREATE TABLE "passkeys" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" text NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] NOT NULL,
	"created_ms" bigint NOT NULL,
	"used_ms" bigint,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "spent_challenges" (
	"challenge_sha256" text PRIMARY KEY NOT NULL,
	"expires_ms" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "second_factors" ALTER COLUMN "secret_sealed" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_second_factors_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."second_factors"("user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "passkeys_by_user" ON "passkeys" USING btree ("user_id","created_ms");--> statement-breakpoint
CREATE INDEX "spent_challenges_by_expiry" ON "spent_challenges" USING btree ("expires_ms");