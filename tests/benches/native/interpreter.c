static const struct { uint16_t opcode, x; } words[4096] = {/* words */};

uint64_t run(struct machine *restrict m, uint8_t *restrict ram, uint64_t start) {
    uint64_t left = start;
    unsigned a = 0, c = 0, pc = 0;
    for (;;) {
        unsigned x = words[pc].x, at = pc;
        if (left == 0) { LEAVE(at); }
        left--;
        pc = (pc + 1) & 4095;
        switch (words[at].opcode) {
        case 0: a = ram[x]; break;
        case 1:
            if (x < 0xFE0) { ram[x] = a; break; }
            if (x >= 0xFF8) { m->behind_inputs[x - 0xFF8] = a; break; }
            if (x <= 0xFF0) { STORE(start - left - 1, x); }
            ram[x] = a;
            break;
        case 2: a += ram[x]; c = a >> 8; a &= 255; break;
        case 3: a = (a | ram[x]) ^ 255; break;
        case 4: c = ram[x] & 1; a = ram[x] >> 1; break;
        case 5: pc = x; if (pc == at) { LEAVE(at); } break;
        case 6: if (c) { pc = x; if (pc == at) { LEAVE(at); } } break;
        case 7: if (!a) { pc = x; if (pc == at) { LEAVE(at); } } break;
        }
    }
}
