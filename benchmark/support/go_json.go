// Scenario 7's peer in Go: encoding/json on the structs that its users would write. Speaks the lines of JSON of
// Bench::ProgramProcess. It gets its values as documents, one for each value of the period, and decodes them before anything is timed.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
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
	Contender  *string           `json:"contender"`
	Contenders map[string]string `json:"contenders"`
	Documents  []string          `json:"documents"`
	Iterations int               `json:"iterations"`
	Seconds    float64           `json:"seconds"`
}

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

// Runs one contender so many times; a nil code is the empty loop.
func run(code string, iterations int) {
	mask := len(values) - 1
	switch code {
	case "marshal":
		for i := 0; i < iterations; i++ {
			sink, _ = json.Marshal(values[i&mask])
		}
	case "encode":
		var buffer bytes.Buffer
		encoder := json.NewEncoder(&buffer)
		for i := 0; i < iterations; i++ {
			buffer.Reset()
			check(encoder.Encode(values[i&mask]))
		}
		sink = buffer.Bytes()
	case "":
		for i := 0; i < iterations; i++ {
			if values[i&mask] == nil {
				sink = nil
			}
		}
	default:
		panic("no contender " + code)
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
	run(code, iterations)
	return spent() - start
}

func warm(code string, seconds float64) float64 {
	iterations, start := 1, time.Now()
	for {
		run(code, iterations)
		elapsed := time.Since(start).Seconds()
		if elapsed >= seconds {
			return elapsed * 1e9 / float64(2*iterations-1)
		}
		iterations *= 2
	}
}

func answer(asked request) interface{} {
	code := ""
	if asked.Contender != nil {
		code = codes[*asked.Contender]
	}
	switch asked.Op {
	case "open":
		codes = asked.Contenders
		for _, document := range asked.Documents {
			values = append(values, decode(document))
		}
		return map[string]interface{}{"errors": map[string]string{}, "versions": map[string]string{"go": strings.TrimPrefix(runtime.Version(), "go")}}
	case "documents":
		documents, all := []string{}, values
		for _, value := range all {
			values = []interface{}{value}
			run(code, 1)
			documents = append(documents, string(sink))
		}
		values = all
		return documents
	case "warm":
		return warm(code, asked.Seconds)
	case "sample":
		runtime.GC()
		return timed(code, asked.Iterations)
	case "reads_value":
		return true
	case "allocations":
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		run(code, asked.Iterations)
		runtime.ReadMemStats(&after)
		count := float64(asked.Iterations)
		return map[string]float64{"objects": float64(after.Mallocs-before.Mallocs) / count, "allocated": float64(after.TotalAlloc-before.TotalAlloc) / count}
	}
	panic("no operation " + asked.Op)
}

// One line in, one line out; what panics is an error.
func respond(line []byte) (reply map[string]interface{}) {
	defer func() {
		if problem := recover(); problem != nil {
			reply = map[string]interface{}{"error": fmt.Sprint(problem)}
		}
	}()
	var asked request
	check(json.Unmarshal(line, &asked))
	return map[string]interface{}{"value": answer(asked)}
}

func main() {
	input, output := bufio.NewReader(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		check(output.Encode(respond(line)))
	}
}
