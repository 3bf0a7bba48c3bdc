// Scenario 7's peer in Go: encoding/json on the structs that its users would write. Called with
// "marshal" or "encode", a number of calls, and on its input an array of documents, it decodes them,
// encodes them by turns, and prints documents, nanoseconds, objects and bytes (Bench::GoLoop).
package main

import (
	"bytes"
	"encoding/json"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
)

type Small struct {
	St   int    `json:"st"`
	Sid  int    `json:"sid"`
	Tt   string `json:"tt"`
	Gr   int    `json:"gr"`
	UUID string `json:"uuid"`
	IP   string `json:"ip"`
	Ua   string `json:"ua"`
	Tz   int    `json:"tz"`
	V    int    `json:"v"`
}

type User struct {
	Username string `json:"username"`
}

type Topic struct {
	ID   int    `json:"ID"`
	Slug string `json:"slug"`
}

type Topics struct {
	Topics        []Topic `json:"topics"`
	MoreTopicsURL string  `json:"more_topics_URL"`
}

type Large struct {
	Users  []User `json:"users"`
	Topics Topics `json:"topics"`
}

var (
	encoded []byte
	buffer  bytes.Buffer
	encoder = json.NewEncoder(&buffer)
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func call(mode string, value interface{}) {
	if mode == "marshal" {
		encoded, _ = json.Marshal(value)
	} else {
		buffer.Reset()
		check(encoder.Encode(value))
		encoded = buffer.Bytes()
	}
}

// The number of values is a power of two.
func run(mode string, calls int, values []interface{}) {
	for i := 0; i < calls; i++ {
		call(mode, values[i&(len(values)-1)])
	}
}

// Nanoseconds of processor time, those of the collector's threads included, as for Ruby.
func spent() int64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func main() {
	var texts, documents []string
	var values []interface{}
	check(json.NewDecoder(os.Stdin).Decode(&texts))
	mode := os.Args[1]
	for _, text := range texts {
		var value interface{} = new(Small) // a pointer, so that an interface allocates nothing
		if strings.HasPrefix(text, `{"users"`) {
			value = new(Large)
		}
		check(json.Unmarshal([]byte(text), value))
		values = append(values, value)
		call(mode, value)
		documents = append(documents, string(encoded))
	}
	calls, err := strconv.Atoi(os.Args[2])
	check(err)
	run(mode, calls/4+1000, values) // warms
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := spent()
	run(mode, calls, values)
	time := spent() - start
	runtime.ReadMemStats(&after)
	check(json.NewEncoder(os.Stdout).Encode(map[string]interface{}{
		"documents": documents, "version": strings.TrimPrefix(runtime.Version(), "go"), "time": time,
		"objects": after.Mallocs - before.Mallocs, "bytes": after.TotalAlloc - before.TotalAlloc}))
}
