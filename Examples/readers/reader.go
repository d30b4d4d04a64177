// reader.go CACHE TIME [KIND...]: prints the entries in force at TIME (RFC 3339, UTC) of kinds that agree, by default of
// all. Only Go's standard library is needed: go run reader.go CACHE TIME.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type snapshot struct {
	Generation int
	Entries    []map[string]any
}

func read(cache, name string, into any) error {
	bytes, err := os.ReadFile(filepath.Join(cache, "snapshots", name))
	if err != nil {
		return err
	}
	return json.Unmarshal(bytes, into)
}

var errChanging = errors.New("they do not agree: try cachesyncd sync")

// agreeing returns the generation of a publication, and its snapshots by their kinds. On FUSE and network file systems a file
// that is just being replaced can seem to be missing or cut off, so that is believed only after a second.
func agreeing(cache string, kinds []string) (int, map[string]snapshot, error) {
	for attempt := 1; ; attempt++ {
		generation, found, err := agreeingNow(cache, kinds)
		_, missing := os.Stat(filepath.Join(cache, "snapshots"))
		if err == nil || err == errChanging || attempt > 20 || missing != nil {
			return generation, found, err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func agreeingNow(cache string, kinds []string) (int, map[string]snapshot, error) {
	wanted := " " + strings.Join(kinds, " ") + " "
	for attempt := 0; attempt < 100; attempt++ {
		var manifest struct {
			Generation int
			Files      map[string]snapshot
		}
		if err := read(cache, "manifest.json", &manifest); err != nil {
			return 0, nil, err
		}
		found, agrees := map[string]snapshot{}, true
		for name, file := range manifest.Files {
			kind := strings.TrimSuffix(name, ".json")
			if kind == "day-index" || len(kinds) > 0 && !strings.Contains(wanted, " "+kind+" ") {
				continue
			}
			var snapshot snapshot
			if err := read(cache, name, &snapshot); err != nil {
				return 0, nil, err
			}
			found[kind] = snapshot
			agrees = agrees && snapshot.Generation == file.Generation
		}
		if agrees {
			return manifest.Generation, found, nil
		}
	}
	return 0, nil, errChanging
}

// inForce returns the last entry whose date is not later, or else the first. The dates compare as texts.
func inForce(entries []map[string]any, moment string) map[string]any {
	current := entries[0]
	for _, entry := range entries {
		if date, ok := entry["date"].(string); ok && date <= moment {
			current = entry
		}
	}
	return current
}

func main() {
	cache, moment := os.Args[1], os.Args[2]
	generation, snapshots, err := agreeing(cache, os.Args[3:])
	if err != nil {
		fmt.Fprintf(os.Stderr, "cannot read the snapshots in %s: %v\n", cache, err)
		os.Exit(1)
	}
	entries := map[string]any{}
	for kind, snapshot := range snapshots {
		entries[kind] = inForce(snapshot.Entries, moment)
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{"generation": generation, "entries": entries})
}
