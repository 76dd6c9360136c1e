#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# make install installs the right files, a client builds with them, and make uninstall
# leaves none. Prints TAP.
#
# usage: selftests/host/install.sh [BUILD-DIRECTORY]   (default build/out/6.1)

set -u
# shellcheck source=selftests/host/results
. "$(dirname "$0")/results"
TOP=$top
# shellcheck source=scripts/lib.sh
. "$top/scripts/lib.sh"
need_built Module.symvers markers.ko
need_headers
PATH=$PATH:/usr/sbin:/sbin	# not every user has it
need make:make depmod:kmod

release=$(cat "$kernel/release")
root=$work/root
share=$root/opt/m/share/markers
mkdir "$work/tools" "$root"
cat >"$work/tools/markers" <<-'END'
	#!/bin/sh
	# stands for the command
	[ "$1" != --commands ] || { echo record; exit "${STATUS:-0}"; }
	echo "markers $*"
END
chmod +x "$work/tools/markers"
cp "$work/tools/markers" "$work/tools/markers-vmcore-to-ctf"
cp "$work/tools/markers" "$work/tools/markers-query"
: >"$work/tools/mod_markers.so"

# run TARGET [VARIABLE...]: afterwards, "found" lists all files except depmod's
run()
{
	make -C "$out" "$@" "KDIR=$kernel/headers" "DESTDIR=$root" prefix=/opt/m "TOOLS=$work/tools" >"$log" 2>&1 || return 1
	(cd "$root" && find . -type f ! -name 'modules.*' | sort) >"$work/found"
}

installs()
{
	run install &&
	cat >"$work/wanted" <<-END &&
		./lib/modules/$release/updates/markers.ko
		./opt/m/bin/markers
		./opt/m/bin/markers-query
		./opt/m/bin/markers-vmcore-to-ctf
		./opt/m/lib/markers/mod_markers.so
		./opt/m/lib/systemd/system/markers-record@.service
		./opt/m/lib/systemd/system/markers-send@.service
		./opt/m/share/bash-completion/completions/markers
		./opt/m/share/doc/markers-tools/examples/record.conf
		./opt/m/share/doc/markers-tools/examples/send.conf
		./opt/m/share/man/man1/markers-record.1
		./opt/m/share/man/man1/markers.1
		./opt/m/share/markers/markers/debug/linux/printk.h
		./opt/m/share/markers/markers/marker.h
		./opt/m/share/markers/scripts/client.mk
		./opt/m/share/markers/symvers/$release/Module.symvers
	END
	[ "$(comm -13 "$work/found" "$work/wanted")" = "" ] &&
	[ -x "$root/opt/m/bin/markers" ] &&
	[ "$(cat "$root/opt/m/share/man/man1/markers-record.1")" = "markers --man record" ] &&
	grep -q 'markers.ko' "$root/lib/modules/$release/modules.dep"
}

# only the headers for clients, the check of formats, and what is above
nothing_else()
{
	literal=$(echo "$release" | sed 's/[.+]/\\&/g')
	grep -vE "^\./(lib/modules/$literal/updates/markers\.ko|opt/m/bin/markers(-vmcore-to-ctf|-query)?|opt/m/lib/markers/mod_markers\.so|opt/m/lib/systemd/system/markers-(record|send)@\.service|opt/m/share/doc/markers-tools/examples/(record|send)\.conf|opt/m/share/bash-completion/completions/markers|opt/m/share/man/man1/markers(-record)?\.1|opt/m/share/markers/(symvers/$literal/Module\.symvers|scripts/client\.mk|scripts/check-formats/[a-z-]+\.[ch]|markers/[a-z_/]+\.h|markers/format/(conversion|field_names|format|pointer)\.c|arch/[a-z0-9]+/include/markers/arch/[a-z]+\.h))$" \
		"$work/found" >"$log"
	[ ! -s "$log" ]
}

# one with a marker, and one with a debug statement only
builds()
{
	mkdir -p "$work/client"
	cp "$top"/samples/marker-example.[ch] "$work/client/"
	cat >"$work/client/debug.c" <<-END
		#include <linux/module.h>
		static int __init debug_init(void)
		{
			pr_debug("value %d\n", 1);
			return 0;
		}
		module_init(debug_init);
		MODULE_DESCRIPTION("client");
		MODULE_LICENSE("GPL");
	END
	printf 'MARKERS_DEBUG := y\ninclude %s/scripts/client.mk\nobj-m := marker-example.o debug.o\n' \
		"$share" >"$work/client/Kbuild"
	# shellcheck disable=SC2046 # flags, or none
	make -C "$kernel/headers" M="$work/client" $(cat "$kernel/makeflags") modules >"$log" 2>&1 &&
	strings "$work/client/marker-example.ko" | grep -qx 'depends=markers' &&
	strings "$work/client/debug.ko" | grep -qx 'depends=markers'
}

# without the symbols, the message says what to do
says_how()
{
	mv "$share/symvers" "$work/"
	! builds && grep -q '"apt install markers-dkms"' "$log" && grep -q "dkms autoinstall -k $release" "$log" &&
	mv "$work/symvers" "$share/"
}

# a page whose name begins as ours do
has_other()
{
	[ "$(cat "$other")" = other ] && [ "$(stat -c %a "$other")" = 600 ]
}

keeps_other()
{
	other=$root/opt/m/share/man/man1/markers-other.1
	echo other >"$other"
	chmod 600 "$other"
	run install && has_other && run uninstall && has_other && rm "$other" && run install
}

tells_failure()
{
	export STATUS=1
	! run install-tools
	result=$?
	unset STATUS
	return $result
}

uninstalls()
{
	run uninstall && [ ! -s "$work/found" ] && [ ! -e "$share" ] && [ ! -e "$root/opt/m/lib/markers" ] &&
	! grep -q 'markers.ko' "$root/lib/modules/$release/modules.dep"
}

# the kernel may be gone
uninstalls_again()
{
	rm -r "$root/lib/modules" && run uninstall
}

elsewhere()
{
	run install "INSTALL_MOD_PATH=$work/mod" && ! grep -q '^./lib' "$work/found" &&
	[ -e "$work/mod/lib/modules/$release/updates/markers.ko" ]
}

# refuses WORDS VARIABLE...: make install says WORDS, and installs nothing
refuses()
{
	words=$1
	shift
	! make -C "$out" install "DESTDIR=$work/none" prefix=/opt/m "TOOLS=$work/tools" "$@" >"$log" 2>&1 &&
	grep -qF -- "$words" "$log" && [ ! -e "$work/none" ]
}

# and the first line tells the next step
nothing_built()
{
	mkdir "$work/clean" && cp "$out/Makefile" "$work/clean/" &&
	! make -s -C "$work/clean" install "KDIR=$kernel/headers" "DESTDIR=$work/none" >"$log" 2>&1 &&
	head -n 1 "$log" | grep -q '^there is no markers.ko here yet: run make first$' &&
	[ ! -e "$work/none" ]
}

# a kernel that has headers only
generated=$work/headers/include/generated
mkdir -p "$generated"
echo '#define UTS_RELEASE "6.1.0-other"' >"$generated/utsrelease.h"

echo 1..12
result "markers.ko, headers, client.mk, symbols, the command with man pages and completion" installs
result "and nothing else" nothing_else
result "a client finds the symbols of this kernel" builds
result "and says what to do where there are none" says_how
result "pages of other programs stay as they are" keeps_other
result "a command that fails is told" tells_failure
result "make uninstall leaves nothing" uninstalls
result "and so without the kernel" uninstalls_again
result "a markers.ko of another kernel is not installed" refuses \
	"markers.ko here was built for kernel $release, and not for 6.1.0-other" "KDIR=$work/headers"
result "nor one for a kernel that is not known" refuses "there are no kernel headers in $work/nowhere" \
	"KDIR=$work/nowhere"
result "without markers.ko it says what to do" nothing_built
result "INSTALL_MOD_PATH is for the module" elsewhere
