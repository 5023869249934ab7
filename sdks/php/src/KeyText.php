<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** Keys as people paste them. What is taken, and what each refusal says, is sdks/conformance/keys.json. */
final class KeyText
{
    /** Both keys are readable. */
    public const NO_PAIR = 'the public and the private key do not match: give the two of one pair';

    private const TYPE = 'ssh-ed25519';
    /** DER of an Ed25519 key, up to its 32 bytes. The length of PKCS#8 and its version may differ. Source: RFC 8410 and 5958. */
    private const PKCS8 = '/^\x30.\x02\x01.\x30\x05\x06\x03\x2b\x65\x70\x04\x22\x04\x20/s';
    private const SPKI = "\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00";
    /** The blob of an OpenSSH line, up to its 32 bytes. Source: RFC 8709, section 4. */
    private const BLOB = "\0\0\0\x0bssh-ed25519\0\0\0\x20";
    /** What keys of SSH begin with. */
    private const OPENSSH_TYPE = '/^(?:ssh-(?:ed25519|rsa|dss)|ecdsa-sha2-|sk-(?:ssh|ecdsa)-)/';
    private const GIVE = [
        'private' => 'give the whole text of the private key file, from BEGIN to END',
        'public' => 'give the whole line that begins with ssh-ed25519',
    ];
    private const MAKE = 'make one with `pay keys generate` or `openssl genpkey -algorithm ed25519`';
    private const ENCRYPTED = 'the private key is encrypted: remove the passphrase of a copy with `openssl pkey -in COPY -out NEW` or `ssh-keygen -p -N "" -f COPY`';

    /**
     * The 32 secret bytes of a private key: PKCS#8 PEM, or OpenSSH's own format. Text around it is left out; a line feed may be written as a backslash and
     * an n.
     *
     * @throws \InvalidArgumentException with the sentence for whoever pasted it
     */
    public static function secret(#[\SensitiveParameter] string $given): string
    {
        $text = self::plain($given);
        [$label, $base64] = self::block($text);
        if ($label === null) {
            $words = self::words($text);
            foreach (array_slice($words, 1) as $at => $blob) {
                if (preg_match(self::OPENSSH_TYPE, $words[$at]) === 1 && str_starts_with($blob, 'AAAA')) {
                    throw self::wrongHalf('private', 'public');
                }
            }
            throw self::unframed('private', $text);
        }
        if ($label === 'ENCRYPTED PRIVATE KEY') {
            throw new \InvalidArgumentException(self::ENCRYPTED);
        }
        if (str_ends_with($label, 'PUBLIC KEY')) {
            throw self::wrongHalf('private', 'public');
        }
        if (!str_ends_with($label, 'PRIVATE KEY')) {
            throw self::none('private');
        }
        if ($label !== 'PRIVATE KEY' && $label !== 'OPENSSH PRIVATE KEY') {
            throw self::otherAlgorithm('private');
        }
        $bytes = self::decoded($base64) ?? throw self::cut('private');
        if ($label === 'OPENSSH PRIVATE KEY') {
            return self::openSsh($bytes);
        }
        if (!self::isDer($bytes)) {
            throw self::cut('private');
        }
        return preg_match(self::PKCS8, $bytes) === 1 ? substr($bytes, 16, 32) : throw self::otherAlgorithm('private');
    }

    /**
     * The OpenSSH line of a public key without its comment, as requests carry it. An SPKI PEM is taken as well.
     *
     * @throws \InvalidArgumentException with the sentence for whoever pasted it
     */
    public static function publicLine(#[\SensitiveParameter] string $given): string
    {
        $text = self::plain($given);
        $words = self::words($text);
        foreach (array_slice($words, 1) as $at => $blob) {
            if ($words[$at] === self::TYPE && str_starts_with($blob, 'AAAA')) {
                $bytes = self::decoded($blob);
                return $bytes !== null && strlen($bytes) === 51 && str_starts_with($bytes, self::BLOB) ? self::TYPE . " {$blob}" : throw self::cut('public');
            }
        }
        [$label, $base64] = self::block($text);
        if ($label === null) {
            if (in_array(self::TYPE, $words, true)) {
                throw self::cut('public');
            }
            throw preg_grep(self::OPENSSH_TYPE, $words) !== [] ? self::otherAlgorithm('public') : self::unframed('public', $text);
        }
        if (str_ends_with($label, 'PRIVATE KEY')) {
            throw self::wrongHalf('public', 'private');
        }
        if (!str_ends_with($label, 'PUBLIC KEY')) {
            throw self::none('public');
        }
        if ($label !== 'PUBLIC KEY') {
            throw self::otherAlgorithm('public');
        }
        $bytes = self::decoded($base64);
        if ($bytes === null || !self::isDer($bytes)) {
            throw self::cut('public');
        }
        return str_starts_with($bytes, self::SPKI) ? self::lineOf(substr($bytes, strlen(self::SPKI))) : throw self::otherAlgorithm('public');
    }

    /** The OpenSSH line of 32 public bytes. */
    public static function lineOf(string $publicKey): string
    {
        return self::TYPE . ' ' . base64_encode(self::BLOB . $publicKey);
    }

    private static function wrongHalf(string $half, string $given): \InvalidArgumentException
    {
        return new \InvalidArgumentException("this is a {$given} key, not the {$half} one: " . self::GIVE[$half]);
    }

    private static function cut(string $half): \InvalidArgumentException
    {
        return new \InvalidArgumentException("the {$half} key is cut or damaged: " . self::GIVE[$half]);
    }

    private static function none(string $half): \InvalidArgumentException
    {
        return new \InvalidArgumentException("this is no {$half} key: " . self::GIVE[$half]);
    }

    private static function otherAlgorithm(string $half): \InvalidArgumentException
    {
        return new \InvalidArgumentException("the {$half} key is not an Ed25519 key: " . self::MAKE);
    }

    /** Why a text without the frame of a key is none. */
    private static function unframed(string $half, #[\SensitiveParameter] string $text): \InvalidArgumentException
    {
        $words = self::words($text);
        if ($words === []) {
            return new \InvalidArgumentException("the {$half} key is empty: " . self::GIVE[$half]);
        }
        if (str_contains($text, '-----BEGIN ') || str_contains($text, '-----END ')) {
            return self::cut($half);
        }
        $isBare = preg_match('~^[A-Za-z0-9+/]{43,}={0,2}$~D', implode('', $words)) === 1;
        return $isBare ? new \InvalidArgumentException("the {$half} key has lost its frame: " . self::GIVE[$half]) : self::none($half);
    }

    /** Editors put a byte order mark before a file, chats put no-break and zero-width spaces into it. */
    private static function plain(#[\SensitiveParameter] string $text): string
    {
        return str_replace(["\u{FEFF}", "\u{200B}", "\u{A0}"], ['', '', ' '], (string) preg_replace('/\\\\+[nr]/', "\n", $text));
    }

    /** @return list<string> */
    private static function words(#[\SensitiveParameter] string $text): array
    {
        return preg_split('/[ \t\r\n\f\x0b"\'`]+/', $text, flags: PREG_SPLIT_NO_EMPTY) ?: [];
    }

    /**
     * Label and base64 of the PEM block, that of a private key if there are several; no base64 if its end is missing.
     *
     * @return array{?string, ?string}
     */
    private static function block(#[\SensitiveParameter] string $text): array
    {
        if (preg_match_all('/-----BEGIN ([A-Z0-9 ]+)-----/', $text, $begins, PREG_SET_ORDER | PREG_OFFSET_CAPTURE) < 1) {
            return [null, null];
        }
        $private = array_filter($begins, static fn (array $begin) => str_ends_with($begin[1][0], 'PRIVATE KEY'));
        [[$line, $at], [$label]] = array_values($private ?: $begins)[0];
        $from = $at + strlen($line);
        $end = strpos($text, "-----END {$label}-----", $from);
        return [$label, $end === false ? null : preg_replace('/[ \t\r\n\f\x0b]+/', '', substr($text, $from, $end - $from))];
    }

    /** The bytes of standard, padded base64; null for any other text. */
    private static function decoded(#[\SensitiveParameter] ?string $text): ?string
    {
        $bytes = base64_decode((string) $text, true);
        return $bytes !== false && $bytes !== '' && base64_encode($bytes) === $text ? $bytes : null;
    }

    /** Whether it is one whole DER sequence: a key that was cut is none. */
    private static function isDer(#[\SensitiveParameter] string $bytes): bool
    {
        if (strlen($bytes) < 4 || $bytes[0] !== "\x30") {
            return false;
        }
        [$first, $second, $third] = array_map('ord', [$bytes[1], $bytes[2], $bytes[3]]);
        return strlen($bytes) === match (true) {
            $first < 0x80 => $first + 2,
            $first === 0x81 => $second + 3,
            $first === 0x82 => $second * 256 + $third + 4,
            default => -1,
        };
    }

    /** Source: OpenSSH, PROTOCOL.key. */
    private static function openSsh(#[\SensitiveParameter] string $blob): string
    {
        $take = static function (#[\SensitiveParameter] string &$rest, int $length): string {
            if ($length > strlen($rest)) {
                throw self::cut('private');
            }
            $taken = substr($rest, 0, $length);
            $rest = substr($rest, $length);
            return $taken;
        };
        // A text of SSH's wire format: its length in four bytes, and its bytes.
        $text = static fn (#[\SensitiveParameter] string &$rest): string => $take($rest, unpack('N', $take($rest, 4))[1]);
        if ($take($blob, 15) !== "openssh-key-v1\0") {
            throw self::cut('private');
        }
        if ($text($blob) !== 'none') {
            throw new \InvalidArgumentException(self::ENCRYPTED);
        }
        $text($blob); // The key derivation function and its options: none, because the cipher is none.
        $text($blob);
        if ($take($blob, 4) !== "\0\0\0\x01") { // One key.
            throw self::cut('private');
        }
        $text($blob); // The public key, which is repeated below.
        $inner = $text($blob);
        if ($take($inner, 4) !== $take($inner, 4)) {
            throw self::cut('private');
        }
        if ($text($inner) !== self::TYPE) {
            throw self::otherAlgorithm('private');
        }
        [$publicKey, $secret] = [$text($inner), $text($inner)];
        return strlen($secret) === 64 && substr($secret, 32) === $publicKey ? substr($secret, 0, 32) : throw self::cut('private');
    }
}
