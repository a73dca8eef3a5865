CREATE TABLE "invitation_links" (
	"id" text PRIMARY KEY NOT NULL,
	"team_id" text NOT NULL,
	"email" text NOT NULL,
	"token_sha256" text NOT NULL,
	"created_by" text NOT NULL,
	"created_ms" bigint NOT NULL,
	"expires_ms" bigint NOT NULL,
	CONSTRAINT "invitation_links_token_sha256_unique" UNIQUE("token_sha256")
);
--> statement-breakpoint
CREATE TABLE "claimed_addresses" (
	"user_id" text PRIMARY KEY NOT NULL,
	"email" text
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "links_made" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "links_made_since_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "invitation_links" ADD CONSTRAINT "invitation_links_team_id_email_invitations_team_id_email_fk" FOREIGN KEY ("team_id","email") REFERENCES "public"."invitations"("team_id","email") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "invitation_links" ADD CONSTRAINT "invitation_links_team_id_created_by_members_team_id_user_id_fk" FOREIGN KEY ("team_id","created_by") REFERENCES "public"."members"("team_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "claimed_addresses" ADD CONSTRAINT "claimed_addresses_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "invitation_links_by_invitation" ON "invitation_links" USING btree ("team_id","email");--> statement-breakpoint
CREATE INDEX "invitation_links_by_maker" ON "invitation_links" USING btree ("team_id","created_by");--> statement-breakpoint
CREATE INDEX "invitation_links_by_expiry" ON "invitation_links" USING btree ("expires_ms");--> statement-breakpoint
CREATE INDEX "claimed_addresses_by_email" ON "claimed_addresses" USING btree ("email");