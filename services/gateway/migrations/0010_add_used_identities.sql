CREATE TABLE "used_identities" (
	"identity_id" uuid PRIMARY KEY NOT NULL,
	"ends_at" timestamp with time zone NOT NULL
);
