// Micro benchmark of core/numbers/float.c beside std::to_chars (which writes the shortest digits
// too, in its own layout, and beside nothing else in the process). Every output is checked by
// strtod first.
//
//     test/native/run --bench float
//
// Prints nanoseconds per number: the least of several rounds, the two taking turns.
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" {
#include "float.h"
}

namespace {

constexpr size_t COUNT = 1 << 14;
constexpr int ROUNDS = 60;

uint64_t state = 42;

uint64_t random_u64()  // splitmix64
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double random_unit() { return static_cast<double>(random_u64() >> 11) * 0x1p-53; }

double random_bits()
{
    for (;;) {
        uint64_t bits = random_u64();
        double value;
        memcpy(&value, &bits, 8);
        if (std::isfinite(value)) return value;
    }
}

struct Data {
    const char *name;
    double (*make)(size_t i);
};

const Data DATA[] = {
    {"random bits", [](size_t) { return random_bits(); }},
    {"1 / (i + 3)", [](size_t i) { return 1.0 / static_cast<double>(i + 3); }},
    {"random in 0..1", [](size_t) { return random_unit(); }},
    {"coordinates as in canada.json",
     [](size_t) { return std::nextafter(-65 - std::round(random_unit() * 1e6) / 1e6, 0.0); }},
    {"coordinates, 6 decimals",
     [](size_t) { return std::round((random_unit() * 360 - 180) * 1e6) / 1e6; }},
    {"prices", [](size_t) { return static_cast<double>(random_u64() % 100000) / 100; }},
    {"whole numbers", [](size_t) { return static_cast<double>(random_u64() % 100000); }},
    {"one decimal, mixed", [](size_t) { return static_cast<double>(random_u64() % 100) / 10; }},
};

uint8_t *ours(uint8_t *at, double value) { return tj_write_double(at, value); }

uint8_t *theirs(uint8_t *at, double value)
{
    char *start = reinterpret_cast<char *>(at);
    return reinterpret_cast<uint8_t *>(std::to_chars(start, start + TJ_FLOAT_SIZE, value).ptr);
}

template <typename Write> double nanoseconds(const std::vector<double> &values, Write write)
{
    static uint8_t out[COUNT * TJ_FLOAT_SIZE];
    auto start = std::chrono::steady_clock::now();
    uint8_t *at = out;
    for (double value : values) at = write(at, value);
    std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
    return spent.count() / static_cast<double>(values.size());
}

template <typename Write> void check(const std::vector<double> &values, Write write)
{
    for (double value : values) {
        uint8_t out[TJ_FLOAT_SIZE + 1];
        *write(out, value) = 0;
        if (std::strtod(reinterpret_cast<char *>(out), nullptr) == value) continue;
        std::fprintf(stderr, "%.17g is written as %s\n", value, reinterpret_cast<char *>(out));
        std::exit(1);
    }
}

}  // namespace

int main()
{
    std::printf("%-30s %12s %14s %8s\n", "ns per number", "to_json", "std::to_chars", "ratio");
    for (const Data &data : DATA) {
        std::vector<double> values;
        for (size_t i = 0; i < COUNT; i++) values.push_back(data.make(i));
        check(values, ours);
        check(values, theirs);
        double our_best = 1e9, their_best = 1e9;
        for (int round = 0; round < ROUNDS; round++) {
            our_best = std::min(our_best, nanoseconds(values, ours));
            their_best = std::min(their_best, nanoseconds(values, theirs));
        }
        std::printf("%-30s %12.1f %14.1f %8.2f\n", data.name, our_best, their_best,
                    their_best / our_best);
    }
}
