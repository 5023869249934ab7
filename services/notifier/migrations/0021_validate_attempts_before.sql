ALTER TABLE "attempts" VALIDATE CONSTRAINT "attempts_before";
