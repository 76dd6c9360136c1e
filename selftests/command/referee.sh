#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Traces of any markers, contexts, values and losses: does "markers report" find the events and
# values that babeltrace2 finds, and does "markers check" find no error? And of damaged ones in which
# neither finds an error?
#
# usage: [SEEDS=1000] selftests/command/referee.sh TOOLS OUT

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

same=0 wanted=${SEEDS:-20}
for seed in $(seq "$wanted"); do
	rm -rf trace
	"$out/random_trace" trace "$seed" || exit 1
	markers check trace >checked 2>&1 || { sed 's/^/# /' checked; echo "# seed $seed"; continue; }
	babeltrace2 --clock-seconds --no-delta trace >theirs 2>/dev/null
	markers report -f json trace >ours
	python3 "$here/same_events.py" theirs ours >compared &&
		[ "$(cat compared)" = "$(wc -l <theirs) events" ] && same=$((same + 1)) && continue
	cut -c1-800 compared | sed 's/^/# /'
	echo "# seed $seed"
done
is "$same" "$wanted" "the same events and values as babeltrace2"

cat >flip.py <<'END'
import glob
import random
import sys
random.seed(int(sys.argv[1]))
for path in sorted(glob.glob('trace/stream_*')):
    with open(path, 'r+b') as stream:
        data = bytearray(stream.read())
        for _ in range(3):
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        stream.seek(0)
        stream.write(data)
END
same=0 both=0
for seed in $(seq "$wanted"); do
	rm -rf trace
	"$out/random_trace" trace "$seed" || exit 1
	python3 flip.py "$seed"
	markers check trace >checked 2>&1 || continue
	babeltrace2 --clock-seconds --no-delta trace >theirs 2>/dev/null || continue
	both=$((both + 1))
	markers report -f json trace >ours
	python3 "$here/same_events.py" theirs ours >compared && same=$((same + 1)) && continue
	cut -c1-800 compared | sed 's/^/# /'
	echo "# seed $seed"
done
is "$same" "$both" "the same of damaged ones"
check "$both of them are read without an error" test "$both" -ge 1
finish
