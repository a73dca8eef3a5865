CREATE TABLE "installation_id" (
	"id" integer PRIMARY KEY NOT NULL,
	"value" text NOT NULL
);
