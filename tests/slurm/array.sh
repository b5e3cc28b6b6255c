#!/usr/bin/env bash
# array.sh PIPELINIFY: a job array does a tree, and the merged report is that of
# one run.
set -u
program=$(realpath "${1:?pipelinify}")
root=$(cd "$(dirname "$0")/../.." && pwd)
PATH=$PATH:/usr/sbin:/sbin
skip() { echo "skipped: $1"; exit 77; }
for command in munged slurmctld slurmd sbatch sinfo; do
  command -v $command >/dev/null || skip "no $command (Debian: slurmctld slurmd munge)"
done
[ "$(id -u)" = 0 ] || skip 'slurmd needs root'

s=$(mktemp -d)
chmod 755 "$s"
# Only what was started here.
stop() {
  local file pid
  for file in "$s"/slurmd.pid "$s"/slurmctld.pid "$s"/munge/pid; do
    pid=$(cat "$file" 2>/dev/null) && kill "$pid" 2>/dev/null &&
      timeout 10 tail -f --pid="$pid" /dev/null
  done
  rm -rf "$s"
}
trap stop EXIT

free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'
}

start() {
  local host
  host=$(hostname -s)
  mkdir "$s/state" "$s/spool" "$s/munge"
  (umask 077; head -c 1024 /dev/urandom >"$s/munge/key")
  munged --force --key-file="$s/munge/key" --socket="$s/munge/socket" \
    --pid-file="$s/munge/pid" --log-file="$s/munge/log" \
    --seed-file="$s/munge/seed" 2>"$s/why" || return
  cat >"$s/slurm.conf" <<END
ClusterName=scratch
SlurmctldHost=$host
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$s/munge/socket
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$s/state
SlurmdSpoolDir=$s/spool
SlurmctldPidFile=$s/slurmctld.pid
SlurmdPidFile=$s/slurmd.pid
SlurmctldLogFile=$s/slurmctld.log
SlurmdLogFile=$s/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0,sched_interval=1,bf_interval=1
MpiDefault=none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
  export SLURM_CONF=$s/slurm.conf
  slurmctld -f "$s/slurm.conf" 2>"$s/why" || return
  slurmd -f "$s/slurm.conf" 2>"$s/why" || return
  for _ in $(seq 100); do
    [ "$(sinfo -h -o %T 2>"$s/why")" = idle ] && return
    sleep 0.1
  done
  return 1
}

start || skip "Slurm does not start here: $(tail -n 1 "$s/why")"

mkdir "$s/work"
cd "$s/work" || exit 2
mkdir kernels
for case in $(ls -d -- "$root"/testdata/accept/*/*/ | head -n 9); do
  cp "$case/kernel.cu" "kernels/$(basename "$case").cu"
done
echo 'int x;' >'kernels/with a blank.cu'
failed=0
expect() { [ "$2" = "$3" ] || { echo "$1: $3, not $2"; failed=1; }; }

# As the example says it.
export PIPELINIFY=$program
mkdir -p pipelinify-reports
sbatch --quiet --wait --array=1-3 "$root/docs/pipelinify-array.sbatch" 3 --out-dir=out kernels
expect 'exit of the array' 0 $?
"$program" report merge pipelinify-reports/*.json -o report.json
expect 'exit of the merge' 0 $?
"$program" -q --out-dir=once kernels --report=once.json
cmp report.json once.json || failed=1
diff -r out once || failed=1
expect 'files' 10 "$(find out -type f | wc -l)"
expect 'logs that name a summary' 3 "$(grep -l '^pipelinify: [0-9]* file' pipelinify-*.log | wc -l)"

# One task again.
rm pipelinify-reports/2.json
sbatch --quiet --wait --array=2 "$root/docs/pipelinify-array.sbatch" 3 --out-dir=out kernels
expect 'exit of one task' 0 $?
"$program" report merge pipelinify-reports/*.json | cmp - report.json || failed=1

# A task that fails is a failed task.
sbatch --quiet --wait --array=1 "$root/docs/pipelinify-array.sbatch" 1 --stages=99 kernels
expect 'exit of a wrong command' 2 $?
exit $failed
