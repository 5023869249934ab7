<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** Sends a request once. Write your own for another HTTP client. */
interface Transport
{
    /**
     * Follows no redirect, and returns a response whatever its status.
     *
     * @throws \RuntimeException if there is no whole response
     */
    public function send(Request $request): Response;
}
