CREATE TABLE "storage" (
	"team_id" text PRIMARY KEY NOT NULL,
	"used_bytes" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "storage_reservations" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "storage_reservations_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"team_id" text NOT NULL,
	"bytes" bigint NOT NULL,
	"expires_ms" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "storage" ADD CONSTRAINT "storage_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "storage_reservations" ADD CONSTRAINT "storage_reservations_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "storage_reservations_by_team" ON "storage_reservations" USING btree ("team_id");