CREATE TABLE "clock_mark" (
	"id" integer PRIMARY KEY NOT NULL,
	"seen_ms" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "hosts" ADD COLUMN "freed_ms" bigint;--> statement-breakpoint
CREATE INDEX "hosts_freed" ON "hosts" USING btree ("freed_ms") WHERE "hosts"."freed_ms" is not null;--> statement-breakpoint
CREATE INDEX "sessions_by_expiry" ON "sessions" USING btree ("expires_ms");