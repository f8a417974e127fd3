/** A call that is answered with an error: every one, or those whose argument is the value or has its bit. */
interface Refusal {
  readonly call: number;
  readonly error: number;
  readonly only?: { readonly argument: number; readonly by: "value" | "bit"; readonly is: number };
}

const [EPERM, ENOSYS, EAFNOSUPPORT] = [1, 38, 97] as const;

/** Numbers of system calls, and the kernel's name for the machine (AUDIT_ARCH). */
interface Machine {
  readonly name: number;
  readonly keys: readonly number[];
  readonly unshare: number;
  readonly clone: number;
  readonly socket: number;
  /** Calls from here on have another form (x32). */
  readonly foreign?: number;
  /** One call for all that concerns sockets, whose arguments lie in memory. */
  readonly socketcall?: number;
}

/** Each kernel also runs programs of the 32-bit machine before it. */
const machines: Readonly<Record<string, readonly Machine[]>> = {
  x64: [
    {
      name: 0xc000003e,
      keys: [248, 249, 250],
      unshare: 272,
      clone: 56,
      socket: 41,
      foreign: 0x40000000,
    },
    {
      name: 0x40000003,
      keys: [286, 287, 288],
      unshare: 310,
      clone: 120,
      socket: 359,
      socketcall: 102,
    },
  ],
  arm64: [
    { name: 0xc00000b7, keys: [217, 218, 219], unshare: 97, clone: 220, socket: 198 },
    { name: 0x40000028, keys: [309, 310, 311], unshare: 337, clone: 120, socket: 281 },
  ],
};

/** The same number on all machines. The first hides its arguments; the second makes sockets without `socket`. */
const [clone3, ioUring] = [435, 425] as const;
const newCgroup = 0x02000000;
const vsock = 40;

/**
 * Keyrings of the kernel (Kerberos tickets), sockets to a hypervisor, and cgroup namespaces, in which a program could mount
 * its own cgroup, which is ralph's too, and freeze or kill that.
 */
function refusalsOf({ keys, unshare, clone, socket, socketcall }: Machine): Refusal[] {
  const only = { argument: 0, by: "bit", is: newCgroup } as const;
  return [
    ...keys.map((call) => ({ call, error: EPERM })),
    ...[clone3, ioUring].map((call) => ({ call, error: ENOSYS })),
    ...[unshare, clone].map((call) => ({ call, error: EPERM, only })),
    { call: socket, error: EAFNOSUPPORT, only: { argument: 0, by: "value", is: vsock } },
    ...(socketcall === undefined
      ? []
      : [
          {
            call: socketcall,
            error: EAFNOSUPPORT,
            only: { argument: 0, by: "value", is: 1 } as const,
          },
        ]),
  ];
}

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number];

const load = (offset: number): Instruction => [0x20, 0, 0, offset];
const answerWith = (error: number): Instruction => [0x06, 0, 0, 0x00050000 | error];
const allow: Instruction = [0x06, 0, 0, 0x7fff0000];
/** Skips instructions unless the loaded value is the other one, has its bit, or is at least as large. */
const unlessEqual = (value: number, skip: number): Instruction => [0x15, 0, skip, value];
const unlessBit = (value: number, skip: number): Instruction => [0x45, 0, skip, value];
const unlessFrom = (value: number, skip: number): Instruction => [0x35, 0, skip, value];

function renderRefusal({ call, error, only }: Refusal): Instruction[] {
  if (!only) return [unlessEqual(call, 1), answerWith(error)];
  const test = only.by === "bit" ? unlessBit : unlessEqual;
  // The low half of the argument; the kernel reads no more of it.
  const argument = load(16 + 8 * only.argument);
  return [unlessEqual(call, 4), argument, test(only.is, 1), answerWith(error), allow];
}

function renderMachine(machine: Machine): Instruction[] {
  const { name, foreign } = machine;
  const body = [
    load(0),
    ...(foreign === undefined ? [] : [unlessFrom(foreign, 1), answerWith(ENOSYS)]),
    ...refusalsOf(machine).flatMap(renderRefusal),
    allow,
  ];
  return [unlessEqual(name, body.length), ...body];
}

/** The filter of system calls for bubblewrap, as the kernel reads it; undefined for machines whose numbers are not listed. Pure. */
export function systemCallFilter(machine: string): Buffer | undefined {
  const known = machines[machine];
  if (!known) return undefined;
  const program = [load(4), ...known.flatMap(renderMachine), answerWith(ENOSYS)];
  return Buffer.concat(
    program.map(([code, jumpTrue, jumpFalse, value]) => {
      const bytes = Buffer.alloc(8);
      bytes.writeUInt16LE(code);
      bytes.set([jumpTrue, jumpFalse], 2);
      bytes.writeUInt32LE(value >>> 0, 4);
      return bytes;
    }),
  );
}
