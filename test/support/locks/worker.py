# A worker of the lock contest that uses Python's filelock as its users do.
import os, random, signal, sys, time
from filelock import FileLock

folder, index, count, pause_ms, holds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), sys.argv[5]
holds = {int(word[1:]): word[0] for word in holds.split(",") if word}
state_path, journal_path = f"{folder}/state", f"{folder}/journal-{index}"


def read_state():
    with open(state_path) as file:
        return [line.split() for line in file.read().splitlines()]


def hold(done, moment):
    mark = f"{folder}/held-{index}-{done}"
    if holds.get(done) != moment or os.path.exists(mark):
        return
    open(mark, "w").close()
    print("holding", flush=True)
    signal.pause()


def note(total, wait_ms):
    with open(journal_path, "a") as file:
        file.write(f"{total} {wait_ms:.1f}\n")


def last_noted():
    try:
        with open(journal_path) as file:
            return file.read().splitlines()[-1].split()[0]
    except (FileNotFoundError, IndexError):
        return "0"


# What was committed before we were killed, but not noted.
with FileLock(f"{folder}/lock", timeout=10):
    state = read_state()
done = int(state[index][0])
if state[index][1] != last_noted():
    note(state[index][1], 0)

while done < count:
    began = time.monotonic()
    with FileLock(f"{folder}/lock", timeout=10):
        wait_ms = (time.monotonic() - began) * 1000
        hold(done, "b")
        state = read_state()
        total = int(state[0][0]) + 1
        state[0] = [str(total)]
        state[index] = [str(done + 1), str(total)]
        with open(f"{state_path}.{index}", "w") as file:
            file.write("".join(" ".join(line) + "\n" for line in state))
        os.replace(f"{state_path}.{index}", state_path)
        hold(done, "a")
    done += 1
    note(total, wait_ms)
    time.sleep(random.random() * pause_ms / 1000)
