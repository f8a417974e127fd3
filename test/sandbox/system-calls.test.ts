import { expect, test } from "vitest";
import { systemCallFilter } from "../../src/sandbox/system-calls.ts";

const [x64, x86, arm64, arm] = [0xc000003e, 0x40000003, 0xc00000b7, 0x40000028] as const;
const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97] as const;
const newUser = 0x10000000;
const newCgroup = 0x02000000;

type Call = { machine: number; call: number; argument?: number };

/** Runs a filter as the kernel does; answers the error, or 0 where the call is allowed. */
function judge(filter: Buffer, { machine, call, argument = 0 }: Call): number {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(call, 0);
  data.writeUInt32LE(machine, 4);
  data.writeUInt32LE(argument, 16);
  let loaded = 0;
  for (let at = 0; at < filter.length / 8; at++) {
    const code = filter.readUInt16LE(at * 8);
    const [jumpTrue = 0, jumpFalse = 0] = filter.subarray(at * 8 + 2);
    const value = filter.readUInt32LE(at * 8 + 4);
    const isTrue: Record<number, boolean> = {
      21: loaded === value,
      53: loaded >= value,
      69: (loaded & value) !== 0,
    };
    if (code === 0x20) loaded = data.readUInt32LE(value);
    else if (code === 0x06) return value === 0x7fff0000 ? 0 : value & 0xffff;
    else at += isTrue[code] ? jumpTrue : jumpFalse;
  }
  throw new Error("the filter has no end");
}

const judged = (arch: string, call: Call) => judge(systemCallFilter(arch) ?? Buffer.of(), call);

test.for([
  ["x64", x64, { add: 248, request: 249, keyctl: 250, unshare: 272, clone: 56, socket: 41 }],
  ["x64", x86, { add: 286, request: 287, keyctl: 288, unshare: 310, clone: 120, socket: 359 }],
  ["arm64", arm64, { add: 217, request: 218, keyctl: 219, unshare: 97, clone: 220, socket: 198 }],
  ["arm64", arm, { add: 309, request: 310, keyctl: 311, unshare: 337, clone: 120, socket: 281 }],
] as const)(
  "%s, machine %i: keys, cgroups and the hypervisor are refused, nothing else",
  ([arch, machine, numbers]) => {
    const of = (call: number, argument = 0) => judged(arch, { machine, call, argument });
    expect([numbers.add, numbers.request, numbers.keyctl].map((call) => of(call))).toEqual([
      ...[EPERM, EPERM, EPERM],
    ]);
    expect([of(435), of(425)]).toEqual([ENOSYS, ENOSYS]);
    for (const call of [numbers.unshare, numbers.clone]) {
      expect([of(call, newCgroup), of(call, newCgroup | newUser)]).toEqual([EPERM, EPERM]);
      expect([of(call, newUser), of(call)]).toEqual([0, 0]);
    }
    expect(of(numbers.socket, 40)).toBe(EAFNOSUPPORT);
    expect([1, 2, 10, 16, 41].map((family) => of(numbers.socket, family))).toEqual([0, 0, 0, 0, 0]);
    const refused = Array.from({ length: 500 }, (_, call) => call).filter((call) => of(call) !== 0);
    expect(refused).toEqual(
      [numbers.add, numbers.request, numbers.keyctl, 425, 435].sort((one, other) => one - other),
    );
  },
);

test("programs of 32 bits open no sockets by the call that hides its arguments, and do the rest by it", () => {
  const of = (argument: number) => judged("x64", { machine: x86, call: 102, argument });
  expect([of(1), of(3), of(8)]).toEqual([EAFNOSUPPORT, 0, 0]);
});

test("calls in a form that is not listed do not exist", () => {
  const x32 = 0x40000000;
  for (const call of [0, 41, 250, 535])
    expect(judged("x64", { machine: x64, call: x32 + call })).toBe(ENOSYS);
  expect(judged("x64", { machine: x64, call: 0xffffffff })).toBe(ENOSYS);
  expect(judged("x64", { machine: arm64, call: 0 })).toBe(ENOSYS);
  expect(judged("arm64", { machine: x64, call: 0 })).toBe(ENOSYS);
});

test("a machine with other numbers has no filter", () => {
  expect(systemCallFilter("riscv64")).toBeUndefined();
  expect(systemCallFilter("ia32")).toBeUndefined();
});
