CREATE TABLE "invitations" (
	"team_id" text NOT NULL,
	"email" text NOT NULL,
	"role" text NOT NULL,
	"created_ms" bigint NOT NULL,
	CONSTRAINT "invitations_team_id_email_pk" PRIMARY KEY("team_id","email")
);
--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "updated_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "deleted_ms" bigint;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "email_verified" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "invitations_by_email" ON "invitations" USING btree ("email");--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_team_id_user_id_members_team_id_user_id_fk" FOREIGN KEY ("team_id","user_id") REFERENCES "public"."members"("team_id","user_id") ON DELETE cascade ON UPDATE no action;