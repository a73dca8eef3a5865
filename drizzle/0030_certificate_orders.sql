CREATE TABLE "certificate_orders" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "certificate_orders_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"ordered_ms" bigint NOT NULL,
	"name" text NOT NULL,
	"registrable" text NOT NULL,
	"team_id" text
);
--> statement-breakpoint
ALTER TABLE "acme_accounts" ADD COLUMN "paused_until_ms" bigint;--> statement-breakpoint
ALTER TABLE "acme_accounts" ADD COLUMN "renewals_paused_until_ms" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "teams_made" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "teams_made_since_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "certificate_orders_by_time" ON "certificate_orders" USING btree ("ordered_ms");