#include "textflag.h"

// Two SHA-256 at a time with the SHA instructions: the first in X1 to X6, the second
// in X7 to X12, step by step in turn. Of each the first two registers are the state
// (ABEF and CDGH, as the instructions want it), the others the last 16 words. The
// instructions take words plus constants from X0.

// STATE brings the eight words at p into that order, and UNSTATE back.
#define STATE(p, abef, cdgh) \
	MOVOU   0(p), abef;         \ // DCBA
	MOVOU   16(p), cdgh;        \ // HGFE
	PSHUFD  $0xb1, abef, abef;  \ // CDAB
	PSHUFD  $0x1b, cdgh, cdgh;  \ // EFGH
	MOVO    abef, X13;          \
	PALIGNR $8, cdgh, abef;     \
	PBLENDW $0xf0, X13, cdgh

#define UNSTATE(p, abef, cdgh) \
	PSHUFD  $0x1b, abef, abef;  \ // FEBA
	PSHUFD  $0xb1, cdgh, cdgh;  \ // DCHG
	MOVO    abef, X13;          \
	PBLENDW $0xf0, cdgh, abef;  \ // DCBA
	PALIGNR $8, X13, cdgh;      \ // HGFE
	MOVOU   abef, 0(p);         \
	MOVOU   cdgh, 16(p)

// WORDS takes the next four words of a text.
#define WORDS(at, p, words) \
	MOVOU  at(p), words; \
	PSHUFB X15, words

// ROUNDS are four rounds, with the constants at k.
#define ROUNDS(k, abef, cdgh, words) \
	MOVOU       k(R8), X0;        \
	PADDD       words, X0;        \
	SHA256RNDS2 X0, abef, cdgh;   \
	PSHUFD      $0x0e, X0, X0;    \
	SHA256RNDS2 X0, cdgh, abef

// EXTEND completes the four words after words; before are those before it.
#define EXTEND(before, words, after) \
	MOVO       words, X13;        \
	PALIGNR    $4, before, X13;   \
	PADDD      X13, after;        \
	SHA256MSG2 words, after

// BOTH are four rounds of both texts, with the words that come of them.
#define BOTH(k, before1, words1, after1, before2, words2, after2) \
	ROUNDS(k, X1, X2, words1);        \
	EXTEND(before1, words1, after1);  \
	SHA256MSG1 words1, before1;       \
	ROUNDS(k, X7, X8, words2);        \
	EXTEND(before2, words2, after2);  \
	SHA256MSG1 words2, before2

// func two(a, b *state, p, q *byte, n int)
TEXT ·two(SB), NOSPLIT, $64-40
	MOVQ  a+0(FP), AX
	MOVQ  b+8(FP), BX
	MOVQ  p+16(FP), SI
	MOVQ  q+24(FP), DI
	MOVQ  n+32(FP), CX
	LEAQ  ·constants(SB), R8
	MOVOU ·bigEndian(SB), X15
	STATE(AX, X1, X2)
	STATE(BX, X7, X8)

block:
	MOVOU X1, 0(SP)
	MOVOU X2, 16(SP)
	MOVOU X7, 32(SP)
	MOVOU X8, 48(SP)

	WORDS(0, SI, X3)
	WORDS(0, DI, X9)
	ROUNDS(0, X1, X2, X3)
	ROUNDS(0, X7, X8, X9)
	WORDS(16, SI, X4)
	WORDS(16, DI, X10)
	ROUNDS(16, X1, X2, X4)
	ROUNDS(16, X7, X8, X10)
	SHA256MSG1 X4, X3
	SHA256MSG1 X10, X9
	WORDS(32, SI, X5)
	WORDS(32, DI, X11)
	ROUNDS(32, X1, X2, X5)
	ROUNDS(32, X7, X8, X11)
	SHA256MSG1 X5, X4
	SHA256MSG1 X11, X10
	WORDS(48, SI, X6)
	WORDS(48, DI, X12)
	BOTH(48, X5, X6, X3, X11, X12, X9)
	BOTH(64, X6, X3, X4, X12, X9, X10)
	BOTH(80, X3, X4, X5, X9, X10, X11)
	BOTH(96, X4, X5, X6, X10, X11, X12)
	BOTH(112, X5, X6, X3, X11, X12, X9)
	BOTH(128, X6, X3, X4, X12, X9, X10)
	BOTH(144, X3, X4, X5, X9, X10, X11)
	BOTH(160, X4, X5, X6, X10, X11, X12)
	BOTH(176, X5, X6, X3, X11, X12, X9)
	BOTH(192, X6, X3, X4, X12, X9, X10)
	ROUNDS(208, X1, X2, X4)
	EXTEND(X3, X4, X5)
	ROUNDS(208, X7, X8, X10)
	EXTEND(X9, X10, X11)
	ROUNDS(224, X1, X2, X5)
	EXTEND(X4, X5, X6)
	ROUNDS(224, X7, X8, X11)
	EXTEND(X10, X11, X12)
	ROUNDS(240, X1, X2, X6)
	ROUNDS(240, X7, X8, X12)

	MOVOU 0(SP), X13
	PADDD X13, X1
	MOVOU 16(SP), X13
	PADDD X13, X2
	MOVOU 32(SP), X13
	PADDD X13, X7
	MOVOU 48(SP), X13
	PADDD X13, X8

	ADDQ $64, SI
	ADDQ $64, DI
	DECQ CX
	JNZ  block

	UNSTATE(AX, X1, X2)
	UNSTATE(BX, X7, X8)
	RET
