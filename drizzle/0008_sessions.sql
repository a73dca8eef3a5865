CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"token_sha256" text NOT NULL,
	"expires_ms" bigint NOT NULL,
	"created_ms" bigint NOT NULL,
	"updated_ms" bigint NOT NULL,
	"ip_address" text,
	"user_agent" text,
	CONSTRAINT "sessions_token_sha256_unique" UNIQUE("token_sha256")
);
--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sessions_by_user" ON "sessions" USING btree ("user_id");