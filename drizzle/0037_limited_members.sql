CREATE TABLE "member_projects" (
	"team_id" text NOT NULL,
	"user_id" text NOT NULL,
	"project_id" text NOT NULL,
	CONSTRAINT "member_projects_team_id_user_id_project_id_pk" PRIMARY KEY("team_id","user_id","project_id")
);
--> statement-breakpoint
CREATE TABLE "own_uploads" (
	"team_id" text NOT NULL,
	"user_id" text NOT NULL,
	"sha256" text NOT NULL,
	"until_ms" bigint NOT NULL,
	CONSTRAINT "own_uploads_team_id_user_id_sha256_pk" PRIMARY KEY("team_id","user_id","sha256")
);
--> statement-breakpoint
ALTER TABLE "invitations" ADD COLUMN "projects" jsonb;--> statement-breakpoint
ALTER TABLE "members" ADD COLUMN "limited" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "member_projects" ADD CONSTRAINT "member_projects_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "member_projects" ADD CONSTRAINT "member_projects_member_fk" FOREIGN KEY ("team_id","user_id") REFERENCES "public"."members"("team_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "member_projects_by_project" ON "member_projects" USING btree ("project_id");--> statement-breakpoint
CREATE INDEX "own_uploads_by_end" ON "own_uploads" USING btree ("until_ms");