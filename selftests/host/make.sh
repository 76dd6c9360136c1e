#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# "make" where a sample does not compile: markers.ko is there nevertheless, and what was
# wrong is said. Prints TAP.
#
# usage: selftests/host/make.sh [BUILD-DIRECTORY]   (default build/out/6.1)

set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
out=${1:-$top/build/out/6.1}
kernel=$top/build/kernels/$(basename "$out")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

echo 1..3
if [ ! -e "$kernel/headers" ] || [ -e "$kernel/chroot" ]; then
	for n in 1 2 3; do
		echo "ok $n - make # SKIP no kernel for this host in $kernel"
	done
	exit
fi

for file in Kbuild Makefile scripts/client.mk scripts/check-formats markers arch; do
	mkdir -p "$work/$(dirname "$file")"
	cp -r "$top/$file" "$work/$(dirname "$file")"
done
mkdir -p "$work/samples" "$work/selftests/modules"
echo 'obj-m += broken.o' >"$work/samples/Kbuild"
echo '#error "not for this kernel"' >"$work/samples/broken.c"
: >"$work/selftests/modules/Kbuild"

# shellcheck disable=SC2046 # flags, or none
make -C "$work" -j2 KDIR="$kernel/headers" $(cat "$kernel/makeflags") >"$work/log" 2>&1

count=0
# result WHAT COMMAND...
result()
{
	what=$1
	shift
	count=$((count + 1))
	if "$@"; then
		echo "ok $count - make: $what"
	else
		echo "not ok $count - make: $what"
		tail -n 20 "$work/log" | sed 's/^/# /'
	fi
}

result "markers.ko is there though a sample does not compile" test -s "$work/markers.ko"
result "the compiler's error is shown" grep -q 'error "not for this kernel"' "$work/log"
result "what is complete and what is not is said" \
	grep -q '^markers.ko is built and complete' "$work/log"
