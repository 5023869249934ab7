<?php

declare(strict_types=1);

// The classes, without Composer. Also the stub of the phar.
spl_autoload_register(static function (string $class): void {
    $prefix = 'Pay\\Sdk\\';
    $path = __DIR__ . '/src/' . substr($class, strlen($prefix)) . '.php';
    if (str_starts_with($class, $prefix) && is_file($path)) {
        require $path;
    }
});
