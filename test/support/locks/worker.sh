# A worker of the lock contest that uses flock(1) as scripts do: bash worker.sh FOLDER INDEX COUNT PAUSE_MS HOLDS
set -euo pipefail
folder=$1 index=$2 count=$3 pause_ms=$4 holds=,$5,
state_path=$folder/state journal=$folder/journal-$index

hold() {
  local mark=$folder/held-$index-$done
  if [[ $holds != *",$1$done,"* || -e $mark ]]; then return 0; fi
  : >"$mark"
  echo holding
  # A program of its own would keep the lock when we are killed.
  read -r _
}

# What was committed before we were killed, but not noted.
exec 9>>"$folder/lock"
flock -w 10 9
mapfile -t state <"$state_path"
exec 9>&-
read -r done last <<<"${state[index]}"
noted=0
if [[ -s $journal ]]; then noted=$(tail -n 1 "$journal"); fi
if [[ ${noted%% *} != "$last" ]]; then echo "$last 0" >>"$journal"; fi

while ((done < count)); do
  began=${EPOCHREALTIME/[.,]/}
  exec 9>>"$folder/lock"
  flock -w 10 9
  wait_ms=$(((${EPOCHREALTIME/[.,]/} - began) / 1000))
  hold b
  mapfile -t state <"$state_path"
  total=$((state[0] + 1))
  state[0]=$total
  state[index]="$((done + 1)) $total"
  printf '%s\n' "${state[@]}" >"$state_path.$index"
  mv "$state_path.$index" "$state_path"
  hold a
  exec 9>&-
  done=$((done + 1))
  echo "$total $wait_ms" >>"$journal"
  if ((pause_ms > 0)); then read -r -t "$(printf '0.%03d' $((RANDOM % (pause_ms + 1))))" _ || true; fi
done
