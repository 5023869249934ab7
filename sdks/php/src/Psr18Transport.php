<?php

declare(strict_types=1);

namespace Pay\Sdk;

use Psr\Http\Client\ClientExceptionInterface;
use Psr\Http\Client\ClientInterface;
use Psr\Http\Message\RequestFactoryInterface;
use Psr\Http\Message\StreamFactoryInterface;

/**
 * Sends with any HTTP client of PSR-18, such as Guzzle's. Set its timeout there, and switch off its redirects and repeats: a signature is
 * good once, for one address.
 */
final class Psr18Transport implements Transport
{
    public function __construct(
        private readonly ClientInterface $client,
        private readonly RequestFactoryInterface $requests,
        private readonly StreamFactoryInterface $streams,
    ) {
    }

    /** @throws \LogicException if the request factory would send another address than the one that is signed */
    public function send(Request $request): Response
    {
        // Not compressed: the length says if a body is whole.
        $sent = $this->requests->createRequest($request->method, $request->url)->withHeader('Accept-Encoding', 'identity');
        if ((string) $sent->getUri() !== $request->url) {
            throw new \LogicException("the request factory makes {$sent->getUri()} of {$request->url}");
        }
        foreach ($request->headers as $name => $value) {
            $sent = $sent->withHeader($name, $value);
        }
        try {
            $received = $this->client->sendRequest($sent->withBody($this->streams->createStream($request->body)));
        } catch (ClientExceptionInterface $error) {
            throw new \RuntimeException($error->getMessage(), previous: $error);
        }
        $headers = [];
        foreach (array_keys($received->getHeaders()) as $name) {
            $name = strtolower((string) $name);
            $headers[$name] = implode($name === 'retry-after' ? "\n" : ', ', $received->getHeader($name));
        }
        $body = (string) $received->getBody();
        if (!self::isWhole($headers, $body)) {
            throw new \RuntimeException('the connection was cut');
        }
        return new Response($received->getStatusCode(), $headers, $body);
    }

    /** Some clients return what came before a cut, and hide the chunks. Without a length, only JSON shows its own end. */
    private static function isWhole(array $headers, string $body): bool
    {
        return isset($headers['content-length']) ? $headers['content-length'] === (string) strlen($body) : Wire::read($body) !== null;
    }
}
