CREATE TABLE "direct_uploads" (
	"team_id" text NOT NULL,
	"sha256" text NOT NULL,
	"size" bigint NOT NULL,
	"object" text NOT NULL,
	"expires_ms" bigint NOT NULL,
	CONSTRAINT "direct_uploads_team_id_sha256_pk" PRIMARY KEY("team_id","sha256"),
	CONSTRAINT "direct_uploads_object_unique" UNIQUE("object")
);
--> statement-breakpoint
ALTER TABLE "direct_uploads" ADD CONSTRAINT "direct_uploads_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "direct_uploads_by_expiry" ON "direct_uploads" USING btree ("expires_ms");