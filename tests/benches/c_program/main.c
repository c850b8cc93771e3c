#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct store { uint64_t cycle; uint16_t address; uint8_t byte; };
struct machine {
    uint8_t a, c, behind_inputs[8];
    uint16_t pc;
    unsigned stores;
    struct store store[32768];
};

#define STORE(at, x) m->store[m->stores++ % 32768] = (struct store){at, x, a}
#define LEAVE(at) m->a = a; m->c = c; m->pc = at; return start - left

/* The compiler must not specialize it for its caller: it has to work for any cycle to stop at and any bytes in RAM. */
__attribute__((noipa)) uint64_t run(struct machine *restrict m, uint8_t *restrict ram, uint64_t start);
/* run */

static struct machine machine;
/* RAM, followed by all constants, which the interpreter reads like RAM; and the content of RAM after a reset. */
static uint8_t ram[4096 + 256], reset[4096];

int main(int argc, char **argv) {
    int repeats = argc > 1 ? atoi(argv[1]) : 1;
    uint64_t n = 0;
    struct timespec begun, ended;
    for (int i = 0; i < 256; i++) ram[4096 + i] = i;
    clock_gettime(CLOCK_MONOTONIC, &begun);
    for (int i = 0; i < repeats; i++) {
        memcpy(ram, reset, 4096);
        n = run(&machine, ram, UINT64_MAX);
    }
    clock_gettime(CLOCK_MONOTONIC, &ended);
    uint64_t time = (ended.tv_sec - begun.tv_sec) * 1000000000ull + ended.tv_nsec - begun.tv_nsec;
    /* Using the final state keeps the compiler from removing its computation. */
    unsigned sum = machine.a + machine.c + machine.pc + machine.stores;
    for (int i = 0; i < 4096; i++) sum += ram[i];
    fprintf(stderr, sum == 1 ? " " : "");
    /* The jump to itself counts as one cycle. */
    printf("%llu %llu\n", (unsigned long long)n, (unsigned long long)time);
    return 0;
}
