//go:build ignore

// Command build makes the file that partners take: `go run build.go FOLDER` prints its path. Run it in the folder of the SDK.
package main

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

const name = "pay-sdk-go-0.1.0"

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: go run build.go FOLDER")
	}
	path := filepath.Join(os.Args[1], name+".tar.gz")
	if err := write(path); err != nil {
		log.Fatal(err)
	}
	fmt.Println(path)
}

// Everything but this program and the tests.
func sources() ([]string, error) {
	names, err := filepath.Glob("*.go")
	if err != nil {
		return nil, err
	}
	kept := []string{"LICENSE", "README.md", "go.mod"}
	// npm run build:sdk writes them: nothing is packed without.
	for _, made := range []string{"calls.go", "events.go", "records.go"} {
		if _, err := os.Stat(made); err != nil {
			return nil, fmt.Errorf("%w: npm run build:sdk writes it", err)
		}
	}
	for _, one := range names {
		if one != "build.go" && !strings.HasSuffix(one, "_test.go") {
			kept = append(kept, one)
		}
	}
	sort.Strings(kept)
	return kept, nil
}

func write(path string) error {
	names, err := sources()
	if err != nil {
		return err
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	defer file.Close()
	packed := gzip.NewWriter(file)
	archive := tar.NewWriter(packed)
	for _, one := range names {
		text, err := os.ReadFile(one)
		if err != nil {
			return err
		}
		if err := archive.WriteHeader(&tar.Header{Name: name + "/" + one, Mode: 0o644, Size: int64(len(text))}); err != nil {
			return err
		}
		if _, err := archive.Write(text); err != nil {
			return err
		}
	}
	if err := archive.Close(); err != nil {
		return err
	}
	if err := packed.Close(); err != nil {
		return err
	}
	return file.Close()
}
