/**
 * A gate of a few milliseconds that counts tests: each `tests/*.sh` is one, and green when it ends well. Its names and
 * summary are those of node's runner.
 */
export const countingGate =
  'n=0; bad=0; for t in tests/*.sh; do [ -e "$t" ] || continue; n=$((n+1)); if sh "$t"; then echo "ok $n - $t"; else bad=$((bad+1)); echo "not ok $n - $t"; fi; done; printf "# tests $n\\n# pass $((n-bad))\\n# fail $bad\\n"; [ $bad = 0 ]';

/** A first commit with one such test. */
export const countedFiles = { "src/old.txt": "old\n", "tests/old.sh": "grep -q old src/old.txt\n" };
