<?php

declare(strict_types=1);

// php -d phar.readonly=0 sdks/php/build.php [folder]: the SDK as one file; in sdks/php/dist, or in the folder that is named.
is_file(__DIR__ . '/src/Calls.php') || throw new RuntimeException('src/Calls.php is missing: npm run build:sdk writes it');
$folder = $argv[1] ?? __DIR__ . '/dist';
$version = json_decode((string) file_get_contents(__DIR__ . '/composer.json'), true, flags: JSON_THROW_ON_ERROR)['version'];
is_dir($folder) || mkdir($folder, recursive: true);
$file = "{$folder}/pay-sdk-{$version}.phar";
is_file($file) && unlink($file);

$phar = new Phar($file);
foreach ([...glob(__DIR__ . '/src/*.php'), __DIR__ . '/README.md', __DIR__ . '/LICENSE', __DIR__ . '/autoload.php'] as $path) {
    $phar->addFile($path, substr($path, strlen(__DIR__) + 1));
}
$phar->setStub("<?php require 'phar://' . __FILE__ . '/autoload.php'; __HALT_COMPILER();");
echo "{$file}\n";
