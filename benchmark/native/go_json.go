// Scenario 7's peer in Go: encoding/json on the structs that its users would write. It speaks lines
// of JSON (Bench::WorkerProcess), gets its values as documents, one for each value of the period,
// and decodes them before anything is timed.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
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

type request struct {
	Op         string            `json:"op"`
	Contender  string            `json:"contender"`
	Contenders map[string]string `json:"contenders"`
	Documents  []string          `json:"documents"`
	Iterations int               `json:"iterations"`
	Seconds    float64           `json:"seconds"`
}

type answer = map[string]interface{}

var (
	values []interface{}
	codes  map[string]string
	sink   []byte
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// Pointers, so that an interface around a value allocates nothing.
func decode(document string) interface{} {
	var value interface{} = new(Small)
	if strings.HasPrefix(document, `{"users"`) {
		value = new(Large)
	}
	check(json.Unmarshal([]byte(document), value))
	return value
}

// Runs one contender so many times over these values, whose number is a power of two.
func run(code string, iterations int, values []interface{}) {
	var buffer bytes.Buffer
	encoder, mask := json.NewEncoder(&buffer), len(values)-1
	for i := 0; i < iterations; i++ {
		if code == "marshal" {
			sink, _ = json.Marshal(values[i&mask])
		} else {
			buffer.Reset()
			check(encoder.Encode(values[i&mask]))
		}
	}
	if code == "encode" {
		sink = buffer.Bytes()
	}
}

// Nanoseconds of processor time, those of the collector's threads included, as for Ruby.
func spent() int64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return usage.Utime.Nano() + usage.Stime.Nano()
}

func timed(code string, iterations int) int64 {
	start := spent()
	run(code, iterations, values)
	return spent() - start
}

func respond(asked request) interface{} {
	code := codes[asked.Contender]
	switch asked.Op {
	case "open":
		codes = asked.Contenders
		for _, document := range asked.Documents {
			values = append(values, decode(document))
		}
		version := strings.TrimPrefix(runtime.Version(), "go")
		return answer{"errors": answer{}, "versions": answer{"go": version}}
	case "documents":
		documents := []string{}
		for _, value := range values {
			run(code, 1, []interface{}{value})
			documents = append(documents, string(sink))
		}
		return documents
	case "warm":
		iterations, nanoseconds := 1, timed(code, 1)
		for float64(nanoseconds) < asked.Seconds*5e8 {
			iterations *= 2
			nanoseconds = timed(code, iterations)
		}
		return float64(nanoseconds) / float64(iterations)
	case "sample":
		runtime.GC()
		return timed(code, asked.Iterations)
	case "allocations":
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		run(code, asked.Iterations, values)
		runtime.ReadMemStats(&after)
		count := float64(asked.Iterations)
		return answer{"objects": float64(after.Mallocs-before.Mallocs) / count,
			"allocated": float64(after.TotalAlloc-before.TotalAlloc) / count}
	}
	panic("no operation " + asked.Op)
}

func main() {
	input, output := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var asked request
		if input.Decode(&asked) != nil {
			return
		}
		check(output.Encode(func() (reply answer) {
			defer func() {
				if problem := recover(); problem != nil {
					reply = answer{"error": fmt.Sprint(problem)}
				}
			}()
			return answer{"value": respond(asked)}
		}()))
	}
}
