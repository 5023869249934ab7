<?php

declare(strict_types=1);

namespace Pay\Sdk;

/** Bodies and queries, with amounts by their digits. @internal */
final class Wire
{
    /** A JSON string and, if it is the name of an amount, the number that follows it. */
    private const TEXT_AND_NUMBER = '/("[^"\\\\]*+(?:\\\\.[^"\\\\]*+)*+")(?:(\s*+:\s*+)(-?(?:0|[1-9]\d*+)(?:\.\d++)?(?:[eE][+-]?\d++)?)(?=\s*+[,}]))?/s';

    /** Text as a part of a path or query, escaped as it is signed. */
    public static function part(string $text): string
    {
        return rawurlencode($text);
    }

    /** The query with its question mark; a parameter that is null is left out. */
    public static function query(array $parameters): string
    {
        $pairs = [];
        foreach ($parameters as $name => $value) {
            if ($value !== null) {
                $pairs[] = self::part((string) $name) . '=' . self::part((string) $value);
            }
        }
        return $pairs === [] ? '' : '?' . implode('&', $pairs);
    }

    /** The members that are money, or are multiplied by it. */
    private const EXACT = ['amount', 'amountUsdt', 'price', 'quantity'];

    /** @throws \InvalidArgumentException if an amount in it is not the text of its digits */
    private static function checkAmounts(array $record): void
    {
        foreach ($record as $name => $value) {
            if (in_array($name, self::EXACT, true)) {
                if ($value !== null && (!is_string($value) || preg_match('/^\d+(?:\.\d+)?$/D', $value) !== 1)) {
                    throw new \InvalidArgumentException("{$name} must be a decimal string such as \"10.50\": a float cannot represent every amount");
                }
            } elseif (is_array($value)) {
                self::checkAmounts($value);
            }
        }
    }

    /**
     * The record as JSON. Its `amount` is a number with exactly the given digits, or a string, as the operation has it.
     *
     * @throws \InvalidArgumentException if the amount is anything but digits with at most two after the point
     */
    public static function body(array $record, bool $amountIsNumber): string
    {
        self::checkAmounts($record);
        $members = [];
        foreach ($record as $name => $value) {
            if ($value === null) {
                continue;
            }
            if ($name === 'amount' && (!is_string($value) || preg_match('/^(?:0|[1-9]\d*)(?:\.\d{1,2})?$/D', $value) !== 1)) {
                throw new \InvalidArgumentException('amount must be a decimal string with at most two digits after the point, such as "10.50"');
            }
            $members[] = self::json((string) $name) . ':' . ($name === 'amount' && $amountIsNumber ? $value : self::json($value));
        }
        return '{' . implode(',', $members) . '}';
    }

    /** Parses JSON, keeping each member `amount` as the text of its number. Null for anything that is not a JSON object. */
    public static function read(string $json): ?array
    {
        $exact = preg_replace_callback(
            self::TEXT_AND_NUMBER,
            static fn (array $found) => $found[1] === '"amount"' && isset($found[3]) ? "{$found[1]}{$found[2]}\"{$found[3]}\"" : $found[0],
            $json,
        );
        $record = json_decode($exact ?? '', true);
        return is_array($record) && !array_is_list($record) ? $record : null;
    }

    private static function json(mixed $value): string
    {
        return json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
    }
}
