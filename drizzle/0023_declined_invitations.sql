CREATE TABLE "declined_invitations" (
	"team_id" text NOT NULL,
	"email" text NOT NULL,
	"until_ms" bigint NOT NULL,
	CONSTRAINT "declined_invitations_team_id_email_pk" PRIMARY KEY("team_id","email")
);
--> statement-breakpoint
ALTER TABLE "declined_invitations" ADD CONSTRAINT "declined_invitations_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "declined_invitations_by_email" ON "declined_invitations" USING btree ("email","until_ms");