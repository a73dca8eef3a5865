CREATE TABLE "trust_policies" (
	"id" text PRIMARY KEY NOT NULL,
	"team_id" text NOT NULL,
	"project_id" text NOT NULL,
	"issuer" text NOT NULL,
	"claims" jsonb NOT NULL,
	"targets" jsonb NOT NULL,
	"created_by" text NOT NULL,
	"created_ms" bigint NOT NULL,
	"last_used_ms" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "trust_policies" ADD CONSTRAINT "trust_policies_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "trust_policies" ADD CONSTRAINT "trust_policies_member_fk" FOREIGN KEY ("team_id","created_by") REFERENCES "public"."members"("team_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "trust_policies_by_project" ON "trust_policies" USING btree ("project_id","created_ms","id");--> statement-breakpoint
CREATE INDEX "trust_policies_by_member" ON "trust_policies" USING btree ("team_id","created_by");