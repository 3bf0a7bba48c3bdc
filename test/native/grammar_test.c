/* Tests of core/grammar/grammar.c: every transition as a table, and random calls against a model
 * that keeps trees. */
#include "grammar.h"

#include "buffer.h"
#include "harness.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* -- every transition -------------------------------------------------------------------------- */

enum place { ROOT, SLOT, LIST, LIST_WITH_ELEMENT, TREE };
static const char *const place_names[] = {"root", "slot", "list", "list with an element", "tree"};
static const char *const state_names[] = {"empty", "pairs", "values"};

/* A grammar whose top is such a level in such a state. */
static void arrange(tj_grammar *g, enum place place, enum tj_level_state state,
                    uint32_t max_nesting)
{
    tj_lead lead;
    EXPECT_INT(TJ_OK, tj_grammar_init(g));
    tj_grammar_reset(g, 100);
    if (place != ROOT) {
        EXPECT_INT(TJ_OK, tj_value(g, &lead));
        EXPECT_INT(TJ_OK, tj_push(g,
                                  place == SLOT   ? TJ_SLOT
                                  : place == TREE ? TJ_TREE
                                                  : TJ_LIST,
                                  0, TJ_EMPTY, 0));
    }
    if (place == LIST_WITH_ELEMENT) {
        EXPECT_INT(TJ_OK, tj_value(g, &lead));
        EXPECT(!tj_element_end(g));
    }
    if (state == TJ_PAIRS) EXPECT_INT(TJ_OK, tj_pair(g, &lead));
    if (state == TJ_VALUES) EXPECT_INT(TJ_OK, tj_value(g, &lead));
    EXPECT_INT(state, tj_top(g)->state);
    g->max_nesting = max_nesting;
}

static const struct {
    enum place place;
    enum tj_level_state state;
    tj_status pair, value;
    const char *pair_lead, *value_lead;
} transitions[] = {
    {ROOT, TJ_EMPTY, TJ_OK, TJ_OK, "{", ""},
    {ROOT, TJ_PAIRS, TJ_OK, TJ_NEEDS_KEY, ",", ""},
    {ROOT, TJ_VALUES, TJ_NEEDS_VALUE, TJ_TWO_ROOTS, "", ""},
    {SLOT, TJ_EMPTY, TJ_OK, TJ_OK, "{", ""},
    {SLOT, TJ_PAIRS, TJ_OK, TJ_NEEDS_KEY, ",", ""},
    {SLOT, TJ_VALUES, TJ_NEEDS_VALUE, TJ_SLOT_TAKEN, "", ""},
    {LIST, TJ_EMPTY, TJ_OK, TJ_OK, "{", ""},
    {LIST, TJ_PAIRS, TJ_OK, TJ_NEEDS_KEY, ",", ""},
    {LIST, TJ_VALUES, TJ_NEEDS_VALUE, TJ_OK, "", ","},
    {LIST_WITH_ELEMENT, TJ_EMPTY, TJ_OK, TJ_OK, ",{", ","},
    {LIST_WITH_ELEMENT, TJ_PAIRS, TJ_OK, TJ_NEEDS_KEY, ",", ""},
    {LIST_WITH_ELEMENT, TJ_VALUES, TJ_NEEDS_VALUE, TJ_OK, "", ","},
    {TREE, TJ_EMPTY, TJ_CLOSED_LEVEL, TJ_CLOSED_LEVEL, "", ""},
};

TEST("a pair and a value in every kind and state of level")
{
    for (size_t i = 0; i < COUNT(transitions); i++) {
        for (int pair = 0; pair < 2; pair++) {
            tj_grammar g;
            tj_lead lead = {{0}, 0};
            harness_context("a %s in a %s: %s", pair ? "pair" : "value",
                            place_names[transitions[i].place], state_names[transitions[i].state]);
            arrange(&g, transitions[i].place, transitions[i].state, 100);
            tj_level before = *tj_top(&g);
            tj_status due = pair ? transitions[i].pair : transitions[i].value;
            EXPECT_INT(due, pair ? tj_pair(&g, &lead) : tj_value(&g, &lead));
            if (due == TJ_OK) {
                EXPECT_TEXT(pair ? transitions[i].pair_lead : transitions[i].value_lead, lead.bytes,
                            lead.bytes + lead.size);
                EXPECT_INT(pair ? TJ_PAIRS : TJ_VALUES, tj_top(&g)->state);
            } else {
                EXPECT_INT(before.state, tj_top(&g)->state);
                EXPECT_UINT(before.count, tj_top(&g)->count);
            }
            tj_grammar_free(&g);
        }
    }
    harness_context(NULL);
}

TEST("a brace that would nest too deep is refused and changes nothing; a further pair or a value "
     "is not")
{
    for (size_t i = 0; i < COUNT(transitions); i++) {
        if (transitions[i].place == TREE) continue;
        tj_grammar g;
        tj_lead lead;
        harness_context("a %s: %s", place_names[transitions[i].place],
                        state_names[transitions[i].state]);
        arrange(&g, transitions[i].place, transitions[i].state, 0);
        g.max_nesting = g.nesting;
        bool opens = transitions[i].pair == TJ_OK && transitions[i].state == TJ_EMPTY;
        EXPECT_INT(opens ? TJ_TOO_DEEP : transitions[i].pair, tj_pair(&g, &lead));
        EXPECT_INT(transitions[i].state, tj_top(&g)->state);
        EXPECT_INT(transitions[i].value, tj_value(&g, &lead));
        if (transitions[i].value == TJ_OK) {
            EXPECT_INT(TJ_TOO_DEEP, tj_push(&g, TJ_LIST, 0, 0, 0));
            EXPECT_INT(TJ_TOO_DEEP, tj_push(&g, TJ_TREE, 0, 0, 0));
            EXPECT_INT(TJ_OK, tj_push(&g, TJ_SLOT, 0, 0, 0)); /* no container yet */
        }
        tj_grammar_free(&g);
    }
    harness_context(NULL);
}

/* -- random calls against trees ---------------------------------------------------------------- */

/* The model's document: slots, lists, objects and scalars as nodes that point at each other. */
typedef struct node {
    enum { N_SLOT, N_LIST, N_OBJECT, N_SCALAR } kind;
    struct node *first, *last, *next; /* content */
    bool element_open;                /* a list's last element may still take pairs or values */
} node;

typedef struct {
    node nodes[2048];
    size_t used;
    node *open[64];
    size_t depth; /* open[depth - 1] is the innermost */
} model;

static node *new_node(model *m, int kind)
{
    node *n = &m->nodes[m->used++];
    memset(n, 0, sizeof *n);
    n->kind = kind;
    return n;
}

static void add(node *parent, node *child)
{
    if (parent->last) parent->last->next = child;
    else parent->first = child;
    parent->last = child;
}

/* What the level at the top may take: its object, when pairs were written; a value, when values
 * were. */
static node *object_of(const node *level)
{
    bool current = level->last && (level->kind == N_SLOT || level->element_open);
    return current && level->last->kind == N_OBJECT ? level->last : NULL;
}

static bool holds_value(const node *level)
{
    bool current = level->last && (level->kind == N_SLOT || level->element_open);
    return current && level->last->kind != N_OBJECT;
}

static uint32_t nesting_of(const model *m)
{
    uint32_t nesting = 0;
    for (size_t i = 0; i < m->depth; i++)
        nesting += (m->open[i]->kind == N_LIST) + (object_of(m->open[i]) != NULL);
    return nesting;
}

/* True where the slot itself holds nothing, also not through children that hold nothing. */
static bool is_nothing(const node *n)
{
    return n->kind == N_SLOT && !n->first;
}

static char *print(const node *n, char *at)
{
    switch (n->kind) {
    case N_SCALAR: *at++ = '1'; return at;
    case N_SLOT: return n->first ? print(n->first, at) : at;
    default: break;
    }
    *at++ = n->kind == N_LIST ? '[' : '{';
    for (const node *child = n->first; child; child = child->next) {
        if (n->kind == N_OBJECT) at = (char *)memcpy(at, "\"k\":", 4) + 4;
        at = print(child, at);
        if (child->next) *at++ = ',';
    }
    *at++ = n->kind == N_LIST ? ']' : '}';
    return at;
}

/* Drops the last child again. */
static void drop_last(node *parent)
{
    node *child = parent->first, *before = NULL;
    while (child != parent->last) before = child, child = child->next;
    if (before) before->next = NULL;
    else parent->first = NULL;
    parent->last = before;
}

static void put(char *text, size_t *size, const char *what)
{
    memcpy(text + *size, what, strlen(what));
    *size += strlen(what);
}

enum act { PAIR, VALUE };
enum content { SCALAR, A_SLOT, A_LIST };

/* Runs one random document through both. Returns false where they differ. */
static bool run_document(uint64_t round)
{
    static model m;
    static char text[65536], due[65536], settled_text[65536];
    size_t size = 0, settled = 0;
    uint32_t max_nesting = random_below(3) ? 100 : (uint32_t)random_below(5);
    tj_grammar g;
    if (tj_grammar_init(&g) != TJ_OK) return FAIL("init");
    tj_grammar_reset(&g, max_nesting);
    m.used = m.depth = 0;
    m.open[m.depth++] = new_node(&m, N_SLOT);
    size_t steps = 1 + random_below(60);
    for (size_t step = 0; step < steps || m.depth > 1; step++) {
        node *level = m.open[m.depth - 1];
        uint64_t dice = step < steps ? random_below(10) : 9;
        if (dice < 7 && m.depth < 60) {
            enum act act = object_of(level)     ? (random_below(8) ? PAIR : VALUE)
                           : holds_value(level) ? (random_below(8) ? VALUE : PAIR)
                                                : (enum act)random_below(2);
            enum content content = (enum content)random_below(3);
            tj_status status_due = TJ_OK;
            if (act == PAIR) {
                if (holds_value(level)) status_due = TJ_NEEDS_VALUE;
                else if (!object_of(level) && nesting_of(&m) >= max_nesting)
                    status_due = TJ_TOO_DEEP;
            } else if (object_of(level)) status_due = TJ_NEEDS_KEY;
            else if (level->kind == N_SLOT && holds_value(level))
                status_due = m.depth == 1 ? TJ_TWO_ROOTS : TJ_SLOT_TAKEN;
            size_t mark = size, count_below = tj_top(&g)->count, nesting = g.nesting;
            uint8_t state_below = tj_top(&g)->state;
            tj_lead lead;
            tj_status status = act == PAIR ? tj_pair(&g, &lead) : tj_value(&g, &lead);
            if (status != status_due)
                return FAIL("round %" PRIu64 " step %zu: status %d, due %d", round, step,
                            (int)status, (int)status_due);
            if (status != TJ_OK) continue;
            memcpy(text + size, lead.bytes, lead.size);
            size += lead.size;
            if (act == PAIR) put(text, &size, "\"k\":");
            /* the same on the tree */
            node *parent = level;
            if (act == PAIR) {
                if (!object_of(level)) add(level, new_node(&m, N_OBJECT));
                level->element_open = true;
                parent = level->last;
            }
            if (content == SCALAR) {
                add(parent, new_node(&m, N_SCALAR));
                level->element_open = true;
                put(text, &size, "1");
                continue;
            }
            if (content == A_LIST && nesting_of(&m) >= max_nesting) {
                /* the caller of tj_push goes back to before the pair or value, as tj_mark_restore
                 * does */
                if (tj_push(&g, TJ_LIST, 0, 0, 0) != TJ_TOO_DEEP)
                    return FAIL("round %" PRIu64 ": a list was not too deep", round);
                tj_top(&g)->state = state_below;
                tj_top(&g)->count = count_below;
                g.nesting = (uint32_t)nesting;
                size = mark;
                if (act == PAIR && !parent->first) drop_last(level);
                if (state_below == TJ_EMPTY) level->element_open = false;
                continue;
            }
            node *child = new_node(&m, content == A_SLOT ? N_SLOT : N_LIST);
            add(parent, child);
            level->element_open = true;
            m.open[m.depth++] = child;
            if (tj_push(&g, content == A_SLOT ? TJ_SLOT : TJ_LIST, mark, state_below,
                        count_below) != TJ_OK)
                return FAIL("push");
            if (content == A_LIST) put(text, &size, "[");
        } else if (dice == 7 && level->kind == N_LIST) {
            if (tj_element_end(&g)) put(text, &size, "}");
            level->element_open = false;
        } else if (m.depth > 1) {
            if (level->kind == N_LIST) {
                if (tj_element_end(&g)) put(text, &size, "}");
                tj_pop(&g);
                put(text, &size, "]");
                m.depth--;
            } else {
                bool close, kept;
                size_t mark;
                kept = tj_slot_end(&g, &close, &mark);
                m.depth--;
                if (kept == is_nothing(level))
                    return FAIL("round %" PRIu64
                                " step %zu: an empty slot was kept, or another was not",
                                round, step);
                if (kept && close) put(text, &size, "}");
                if (!kept) {
                    size = mark;
                    node *below = m.open[m.depth - 1],
                         *holder = object_of(below) ? below->last : below;
                    drop_last(holder);
                    if (holder != below && !holder->first)
                        drop_last(below); /* its brace goes too */
                    if (tj_top(&g)->state == TJ_EMPTY) below->element_open = false;
                }
            }
        }
        if (nesting_of(&m) != g.nesting)
            return FAIL("round %" PRIu64 " step %zu: nesting %u, due %u", round, step, g.nesting,
                        nesting_of(&m));
        /* what is settled never changes any more */
        if (settled > size || memcmp(text, settled_text, settled) != 0)
            return FAIL("round %" PRIu64 " step %zu: settled bytes changed", round, step);
        size_t now = tj_settled(&g, size);
        CASE();
        if (now > size) return FAIL("round %" PRIu64 ": more is settled than written", round);
        if (tj_top(&g)->state != TJ_EMPTY && now != size)
            return FAIL("round %" PRIu64 ": bytes are held back for nothing", round);
        if (now > settled) {
            memcpy(settled_text + settled, text + settled, now - settled);
            settled = now;
        }
    }
    if (object_of(m.open[0])) put(text, &size, "}");
    size_t due_size = (size_t)(print(m.open[0], due) - due);
    bool same = due_size == size && memcmp(due, text, size) == 0;
    if (!same)
        FAIL("round %" PRIu64 ":\n  due %.*s\n  got %.*s", round, (int)due_size, due, (int)size,
             text);
    tj_grammar_free(&g);
    return same;
}

TEST("random calls give the text of the tree that a model builds, and the status that it foresees")
{
    for (uint64_t round = 0; round < ROUNDS(100000, 5000000); round++)
        if (!run_document(round)) break;
    EXPECT_CASES(ROUNDS(1000000, 50000000));
}

/* -- memory ------------------------------------------------------------------------------------ */

TEST("memory refused at the n-th allocation of a deep document, for every n: a status, no leak, "
     "all levels intact")
{
    for (long n = 0; n < 8; n++) {
        harness_context("refused after %ld", n);
        tj_refuse_allocation_after(n);
        tj_grammar g;
        tj_status status = tj_grammar_init(&g);
        if (n == 0) EXPECT_INT(TJ_NO_MEMORY, status);
        tj_lead lead;
        uint32_t depth = 0;
        if (status == TJ_OK) tj_grammar_reset(&g, 1000000);
        while (status == TJ_OK && depth < 1000) {
            status = tj_value(&g, &lead);
            if (status == TJ_OK) status = tj_push(&g, TJ_LIST, depth, 0, 0);
            if (status == TJ_OK) depth++;
        }
        tj_refuse_allocation_after(-1);
        EXPECT_INT(n < 6 ? TJ_NO_MEMORY : TJ_OK, status); /* 32 levels and 5 doublings hold 1000 */
        if (n > 0) {
            EXPECT_UINT(depth, g.nesting);
            EXPECT_UINT(depth, g.top);
            for (size_t i = 1; i <= g.top; i++) EXPECT_UINT(i - 1, g.levels[i].begins_at);
            if (status != TJ_OK)
                EXPECT_INT(TJ_OK, tj_push(&g, TJ_LIST, 7, 0, 0)); /* memory is back: it goes on */
        }
        tj_grammar_free(&g);
        EXPECT(g.levels == NULL);
    }
    harness_context(NULL);
}

TEST("room for levels is there whatever their number, keeps those that are open, and is never "
     "given back")
{
    static const size_t wanted[] = {0, 1, 31, 32, 33, 64, 65, 1000, 5, 4097};
    tj_grammar g;
    EXPECT_INT(TJ_OK, tj_grammar_init(&g));
    tj_grammar_reset(&g, 100);
    for (size_t i = 0; i < 5; i++) EXPECT_INT(TJ_OK, tj_push(&g, TJ_LIST, i, 0, 0));
    for (size_t i = 0; i < COUNT(wanted); i++) {
        size_t before = g.capacity;
        EXPECT_INT(TJ_OK, tj_grammar_room(&g, wanted[i]));
        EXPECT(g.capacity >= wanted[i] && g.capacity >= before);
        if (wanted[i] <= before) EXPECT_UINT(before, g.capacity);
        EXPECT_UINT(5, g.top);
        for (size_t level = 1; level <= 5; level++)
            EXPECT_UINT(level - 1, g.levels[level].begins_at);
        memset(&g.levels[g.top + 1], 0xA5,
               (g.capacity - g.top - 1) * sizeof(tj_level)); /* under ASan: all of it is ours */
    }
    tj_grammar_free(&g);
}

TEST("room that memory or size_t have not leaves a status and the levels as they were")
{
    for (long n = 0; n < 4; n++) {
        harness_context("refused after %ld", n);
        tj_grammar g;
        EXPECT_INT(TJ_OK, tj_grammar_init(&g));
        tj_grammar_reset(&g, 100);
        EXPECT_INT(TJ_OK, tj_push(&g, TJ_LIST, 7, 0, 0));
        tj_refuse_allocation_after(n);
        EXPECT_INT(n < 3 ? TJ_NO_MEMORY : TJ_OK, tj_grammar_room(&g, 256)); /* 32, 64, 128, 256 */
        tj_refuse_allocation_after(-1);
        EXPECT_UINT((size_t)32 << n, g.capacity);
        EXPECT_UINT(7, g.levels[1].begins_at);
        EXPECT_INT(TJ_TOO_LARGE, (g.capacity = SIZE_MAX / sizeof(tj_level) / 2 + 1,
                                  tj_grammar_room(&g, SIZE_MAX)));
        g.capacity = (size_t)32 << n;
        tj_grammar_free(&g);
    }
    harness_context(NULL);
}

TEST("a reset grammar is as new, however the last document ended")
{
    tj_grammar g;
    tj_lead lead;
    EXPECT_INT(TJ_OK, tj_grammar_init(&g));
    for (int round = 0; round < 3; round++) {
        tj_grammar_reset(&g, 10);
        EXPECT_UINT(0, g.top);
        EXPECT_UINT(0, g.nesting);
        EXPECT_INT(TJ_OK, tj_pair(&g, &lead));
        EXPECT_TEXT("{", lead.bytes, lead.bytes + lead.size);
        for (int i = 0; i < 5; i++)
            EXPECT_INT(TJ_OK, tj_push(&g, i % 2 ? TJ_LIST : TJ_TREE, 0, 0, 0));
    }
    tj_grammar_free(&g);
}

TEST("levels whose size in bytes would not fit into size_t are refused before memory is asked for")
{
    tj_grammar g;
    EXPECT_INT(TJ_OK, tj_grammar_init(&g));
    size_t capacity = g.capacity;
    g.capacity = SIZE_MAX / sizeof(tj_level) / 2 + 1; /* as if they were there */
    g.top = g.capacity - 1;
    EXPECT_INT(TJ_TOO_LARGE, tj_push(&g, TJ_SLOT, 0, 0, 0));
    g.capacity = SIZE_MAX / sizeof(tj_level);
    g.top = g.capacity - 1;
    EXPECT_INT(TJ_TOO_LARGE, tj_push(&g, TJ_LIST, 0, 0, 0));
    g.capacity = capacity;
    g.top = 0;
    EXPECT_INT(TJ_OK, tj_push(&g, TJ_SLOT, 0, 0, 0));
    tj_grammar_free(&g);
}
