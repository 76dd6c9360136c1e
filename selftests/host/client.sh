#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Clients outside the tree: their Kbuild includes scripts/client.mk, and nothing
# else. Prints TAP.
#
# usage: selftests/host/client.sh [BUILD-DIRECTORY]   (default build/out/6.1)

set -u
# shellcheck source=selftests/host/results
. "$(dirname "$0")/results"
need_built Module.symvers
need_headers

# client NAME: from now on, in a directory of its own
client()
{
	dir=$work/$1
	mkdir -p "$dir"
	cd "$dir" || exit
}

# build [ARGUMENT...]
build()
{
	# shellcheck disable=SC2046 # flags, or none
	make -C "$kernel/headers" M="$dir" $(cat "$kernel/makeflags") "$@" modules >"$work/log" 2>&1
}

# builds [ARGUMENT...]: and without a warning
builds()
{
	build "$@" || return 1
	# ignore the warning that another compiler built the kernel
	! grep -v 'the compiler differs' "$work/log" | grep -qi 'warning'
}

# refused WORDS...: the build fails without a module, and its messages have each of the words
refused()
{
	! build || return 1
	[ -z "$(find "$dir" -name '*.ko')" ] || return 1
	for words; do
		grep -qF -- "$words" "$work/log" || { echo "# missing: $words"; return 1; }
	done
}

depends() { strings "$1" | grep -qx 'depends=markers'; }

# early: the last build has compiled nothing
early() { ! grep -q '^ *CC ' "$work/log"; }

# code NAME STATEMENT: with a marker or more
code()
{
	cat >"$1.c" <<-END
		#include <linux/module.h>
		#include <markers/marker.h>
		int ${1##*/}_marks(void);
		int ${1##*/}_marks(void)
		{
			$2
			return 0;
		}
		MODULE_DESCRIPTION("client");
		MODULE_LICENSE("GPL");
	END
}

# kbuild TREE LINE...: a Kbuild that includes client.mk of a tree
kbuild()
{
	echo "include $1/scripts/client.mk" >Kbuild
	shift
	printf '%s\n' "$@" >>Kbuild
}

# copy_tree: what a client needs of the tree, in "tree", without a build
copy_tree()
{
	mkdir -p tree/scripts
	cp -r "$top/markers" "$top/arch" tree/
	cp -r "$top/scripts/client.mk" "$top/scripts/check-formats" tree/scripts/
}

echo 1..59

client plain
cp "$out"/samples/marker-example.[ch] .
kbuild "$out" 'obj-m := marker-example.o'
result "builds outside of the tree" builds
result "depends on markers.ko" depends marker-example.ko
result "builds again when nothing has changed" builds
checked() { builds C=2 W=1 && grep -q "CHECK .*/marker-example.c" "$work/log"; }
if command -v sparse >/dev/null; then
	result "and with C=2, which runs sparse, and W=1" checked
else
	skip "C=2, which runs sparse" "there is no sparse"
fi

client bad
code good 'trace_mark(first, "value %d", 1);'
code bad 'trace_mark(second, "a %s b %*d", "", 5, 1);'
code worse 'trace_mark(third, "node %pfwP", NULL); trace_mark(fourth, "n %d", 1);'
kbuild "$out" 'obj-m := good.o pair.o' 'pair-y := bad.o worse.o'
result "formats that cannot be recorded fail the build, with the column" refused \
	"bad.c:6: error: marker second refused, format, column 8: '*' can be" \
	"  a %s b %*d" "          ^" \
	"worse.c:6: error: marker third refused, format, column 7: the name of a fwnode"
result "there is one message for each" [ "$(grep -c 'error: marker' "$work/log")" -eq 2 ]
result "and they stay refused" refused "marker second refused" "marker third refused"
echo "markers-unchecked := pair.o" >>Kbuild
result "markers-unchecked has them built" builds

client arguments
code few 'trace_mark(few, "a %d b %s", 1);'
code many 'trace_mark(many, "a %d", 1, 2);'
code star 'trace_mark(star, "a %.*s", "text");'
code good 'trace_mark(good, "100%% %.*s %*ph %d", 1, "text", 2, "text", 3);'
kbuild "$out" 'obj-m := arguments.o' 'arguments-y := few.o many.o star.o good.o'
result "an argument that is missing, or one too many, fails the build" refused \
	"few.c:6: error: marker few refused, format, column 7: there is no argument for this conversion" \
	"many.c:6: error: marker many refused, format, column 4: there are more arguments than conversions" \
	"star.c:6: error: marker star refused, format, column 2: this conversion takes two arguments"
result "and nothing else does" [ "$(grep -c 'error: marker' "$work/log")" -eq 3 ]

# a format that only the linker knows to be NULL
client null
code null 'trace_mark(null, no_format);'
sed -i 's/^int null_marks(void);/extern const char no_format[]; asm(".set no_format, 0"); &/' null.c
kbuild "$out" 'obj-m := null.o'
result "a format of NULL fails the build" refused \
	"null.c:6: error: marker null refused, format, column 0: there is no format string"

client twins
code first 'trace_mark(same, "a %d\n", 1);'
code second 'trace_mark(same, "a\t\"%u\"", 2U);'
kbuild "$out" 'obj-m := twins.o' 'twins-y := first.o second.o'
result "two formats of one name fail the build, with both places" refused \
	'second.c:6: error: marker same refused, format "a\t\"%u\"", but first.c:6 has it with "a %d\n"'

client flags
code flags 'trace_mark(marker, "a %d", HERE);'
kbuild "$out" 'ccflags-y := -DHERE=1' 'obj-m := flags.o'
result "\"ccflags-y :=\" after the include is harmless" builds

client below
mkdir driver
code driver/code 'trace_mark(marker, "a %d", 1);'
kbuild "$out" 'obj-m := driver/'
cat >driver/Kbuild <<END
ccflags-y := -DHERE=1
obj-m := code.o
END
result "the include at the top holds for a directory below" builds
result "and its module depends on markers.ko" depends driver/code.ko
sed -i "1i include $out/scripts/client.mk" driver/Kbuild
result "there may be one there as well" builds
sed -i 1d Kbuild
rm driver/code.ko
result "one below alone fails, and says what to do" refused \
	"$dir/driver/Kbuild includes client.mk, but $dir/Kbuild does not" \
	"put the line \"include $out/scripts/client.mk\" there"

client own
code own 'trace_mark(marker, "a %d", 1);'
kbuild "$top" 'obj-m := own.o'
result "after scripts/build, client.mk of the tree will do" builds
result "and the module depends on markers.ko" depends own.ko

client nothing
copy_tree
code nothing 'trace_mark(marker, "a %d", 1);'
kbuild "$dir/tree" 'obj-m := nothing.o'
result "without a build of markers.ko it says what to do" refused \
	"markers.ko was not built for this kernel" \
	"there is no $dir/tree/Module.symvers" \
	"\"make -C $dir/tree KDIR=$(realpath "$kernel/headers")\"" MARKERS_SYMVERS
result "before it compiles" early
single_object()
{
	# shellcheck disable=SC2046 # flags, or none
	make -C "$kernel/headers" M="$dir" $(cat "$kernel/makeflags") nothing.o >"$work/log" 2>&1 &&
		[ -e nothing.o ]
}
result "a single object needs none" single_object
result "MARKERS_SYMVERS says where one is" builds MARKERS_SYMVERS="$out/Module.symvers"

client others
copy_tree
cp "$out/Module.symvers" tree/
printf 'vermagic=6.1.0-other SMP \0' >tree/markers.ko
code others 'trace_mark(marker, "a %d", 1);'
kbuild "$dir/tree" 'obj-m := others.o'
other_kernel() { ! build && grep -q "one in $dir/tree is for 6.1.0-other and.*\"make -C $dir/tree KDIR=" "$work/log"; }
result "the symbols of a markers.ko for another kernel are not taken" other_kernel
printf 'vermagic=%s SMP \0' "$(cat "$kernel/release")" >tree/markers.ko
result "and those of one for this kernel are" builds

# symbols of other modules, too
client extra
: >other.symvers
code extra 'trace_mark(marker, "a %d", 1);'
kbuild "$out" 'obj-m := extra.o'
with_ours() { builds KBUILD_EXTRA_SYMBOLS="$dir/other.symvers" && depends extra.ko; }
result "KBUILD_EXTRA_SYMBOLS of make's command line leaves ours" with_ours
sed -i "1i KBUILD_EXTRA_SYMBOLS := $dir/other.symvers" Kbuild
rm -f extra.ko
result "and so does one before the include" builds
sed -i 1d Kbuild
rm -f extra.ko
echo "KBUILD_EXTRA_SYMBOLS := $dir/other.symvers" >>Kbuild
result "one after it is refused" refused "$dir/Kbuild sets KBUILD_EXTRA_SYMBOLS after it includes client.mk"
copy_tree
kbuild "$dir/tree" 'obj-m := extra.o'
sed -i "1i KBUILD_EXTRA_SYMBOLS := $dir/other.symvers" Kbuild
result "without our symbols it does not help" refused "there is no $dir/tree/Module.symvers"
sed -i "1s,other.symvers,& $out/Module.symvers," Kbuild
result "and with them it is enough" builds

client layout
copy_tree
cp "$out/Module.symvers" tree/
code layout 'trace_mark(marker, "a %d", 1);'
kbuild "$dir/tree" 'obj-m := layout.o'
result "headers of the layout that markers.ko has" builds
rm layout.ko
sed -i 's/\tmarker_layout_/\tmarker_layout_0/' tree/Module.symvers
result "headers of another layout fail the build" refused \
	"the markers.ko of $dir/tree/Module.symvers does not have layout" "build it again"

client generic
code generic 'trace_mark(marker, "a %d", 1);'
kbuild "$out" 'obj-m := generic.o' "MARKERS_SYMVERS := $out/Module.symvers"
# other_arch WORD [ARGUMENT...]
other_arch()
{
	said="the markers.ko of $out/Module.symvers was built $1 MARKERS_FORCE_GENERIC=1, and these modules would be built"
	shift
	! build "$@" && early && grep -qF "$said" "$work/log"
}
if grep -qw marker_thunk "$out/Module.symvers"; then
	result "MARKERS_FORCE_GENERIC=1, and a markers.ko without" other_arch without MARKERS_FORCE_GENERIC=1
else
	result "a markers.ko with MARKERS_FORCE_GENERIC=1, and no such module" other_arch with
fi

client twice
code twice 'trace_mark(marker, "a %d", 1);'
kbuild "$out" 'obj-m := twice.o' "include $out/scripts/client.mk"
result "client.mk may be included twice" builds

client places
code places 'trace_mark(marker, "a %d", 1);'
cat >Makefile <<END
include $out/scripts/client.mk
obj-m := places.o
END
# without_kernel WORDS: make reads the file directly, as a beginner may start it
without_kernel()
{
	! make >"$work/log" 2>&1 || return 1
	grep -qF -- "$1" "$work/log"
}
if [ -e "/lib/modules/$(uname -r)/build/Makefile" ]; then
	result "without the kernel's make it says how to build" without_kernel \
		"\"make -C /lib/modules/$(uname -r)/build M=$dir modules\""
else
	result "without headers it says what to install" without_kernel \
		"there is no /lib/modules/$(uname -r)/build for that: install the headers"
fi
mkdir copied
cp "$out/scripts/client.mk" copied
sed -i "s,^include.*,include $dir/copied/client.mk," Makefile
result "a client.mk that was copied says where it belongs" refused \
	"there is no $dir/markers/marker.h: client.mk has to stay where it is"
sed -i "s,^include.*,include $out/scripts/client.mk," Makefile
not64() { ! build CONFIG_64BIT= && grep -q 'markers need a kernel of 64 bits' "$work/log"; }
result "a kernel of 32 bits is refused" not64

client template
cp -r "$out"/samples/template/. .
sed -i "s,^include .*client.mk,include $out/scripts/client.mk," Kbuild
find . -type f ! -name '*.[ch]' ! -name Kbuild -delete
both_depend()
{
	strings core/template_core.ko | grep -q '^depends=.*markers' &&
	strings user/template_user.ko | grep -q '^depends=.*markers'
}
result "the template builds outside of the tree" builds
result "the modules of both directories depend on markers.ko" both_depend

client debug
cat >debug.c <<END
#define pr_fmt(fmt) "%s: " fmt, __func__
#include <linux/module.h>
#include <linux/printk.h>
int debug_one(int a);
int debug_one(int a)
{
	pr_debug("value %d\\n", a);
	return a;
}
int debug_two(int a);
int debug_two(int a)
{
	pr_debug("width %*d\\n", a, a);
	return a;
}
int debug_forty(int a);
int debug_forty(int a)
{
#define F5 "%d %d %d %d %d "
#define A5 a, a, a, a, a
	pr_debug(F5 F5 F5 F5 F5 F5 F5 F5 "\\n", A5, A5, A5, A5, A5, A5, A5, A5);
	return a;
}
MODULE_DESCRIPTION("client");
MODULE_LICENSE("GPL");
END
kbuild "$out" 'obj-m := debug.o'
# has_sites BYTES: the module builds, and its section of sites has BYTES bytes
has_sites()
{
	build || return 1
	readelf -SW debug.ko | tr -d '[]' | awk '$2 == "__marker_sites" { print $6 }' >"$work/sites"
	[ "$(($(sed 's/^/0x/;q' "$work/sites") + 0))" -eq "$1" ]
}
result "debug statements are left alone" has_sites 0
sed -i '1i MARKERS_DEBUG := y' Kbuild
result "MARKERS_DEBUG makes them markers, except one of 40 arguments" has_sites 8
result "and says which is not recorded" \
	grep -q '^debug.c:13: note: the debug statement of debug_two() is not recorded, format' "$work/log"
sed -i 1d Kbuild
echo 'MARKERS_DEBUG := y' >>Kbuild
rm debug.ko
result "set after the include, it is refused" refused "$dir/Kbuild sets MARKERS_DEBUG after it includes client.mk"
sed -i '$d; 1i MARKERS_DEBUG := yes' Kbuild
result "and has to be y, both or n" refused 'MARKERS_DEBUG is "yes", and has to be y, both, or n'

# in a directory below
client below-debug
mkdir -p drivers/one
sed 's/debug_/one_/' "$work/debug/debug.c" >drivers/one/code.c
kbuild "$out" 'obj-m := drivers/'
echo 'obj-m := one/' >drivers/Kbuild
printf '%s\n' 'MARKERS_DEBUG := y' 'obj-m := code.o' >drivers/one/Kbuild
result "MARKERS_DEBUG in a directory below, where nothing reads it, is refused" refused \
	"drivers/one/Kbuild sets MARKERS_DEBUG, which nothing reads there"
echo "include $out/scripts/client.mk" >>drivers/one/Kbuild
one_is_recorded() { build && readelf -SW drivers/one/code.ko | grep -q __marker_sites; }
result "with the include it holds there" one_is_recorded
sed -i '1s/y$/n/' drivers/one/Kbuild
result "n holds there, too" builds
for switch in MARKERS_DEBUG MARKERS_OPTIONAL; do
	sed -i "1s/.*/$switch := n/" drivers/one/Kbuild
	sed -i "1i $switch := y" Kbuild
	find . -name '*.ko' -delete
	result "$switch is y above: n is refused" refused "$switch is n in " "drivers/one, and y in a directory above"
	sed -i 1d Kbuild
done

client optional
copy_tree
code optional 'trace_mark(few, "a %d", 1); trace_mark(many, "%d %d %d %d %d %d %d %d %d", 1, 2, 3, 4, 5, 6, 7, 8, 9);'
kbuild "$dir/tree" 'obj-m := optional.o'
sed -i '1i MARKERS_OPTIONAL := y' Kbuild
result "with MARKERS_OPTIONAL no markers.ko is needed" builds
alone() { strings optional.ko | grep -qx 'depends=' && ! nm -u optional.ko | grep marker; }
result "and the module imports nothing" alone
rm optional.ko
code optional 'trace_mark(bad, "a %s b %*d", "", 5, 1);'
result "formats are checked all the same" refused "optional.c:6: error: marker bad refused, format, column 8"
code optional 'marker_synchronize_unregister();'
result "what needs markers.ko is refused" refused "probes need markers.ko: build without MARKERS_OPTIONAL"
code optional 'trace_mark(few, "a %d", 1);'
sed -i '1d; $a MARKERS_OPTIONAL := y' Kbuild
result "set after the include, it is refused" refused "there is no $dir/tree/Module.symvers"
rm -rf tree
kbuild "$out" 'obj-m := optional.o' 'MARKERS_OPTIONAL := y'
result "also where there is a markers.ko" refused "$dir/Kbuild sets MARKERS_OPTIONAL after it includes client.mk"
sed -i '$d; 1i MARKERS_OPTIONAL := yes' Kbuild
result "and has to be y or n" refused 'MARKERS_OPTIONAL is "yes", and has to be y, or n'

client shipped
cp "$out"/samples/optional/* .
rm -f ./*.o ./*.ko ./*.mod*
sed -i "s,^-include .*client.mk,-include $out/scripts/client.mk," Kbuild
# has_markers, or not: the driver builds, and is loaded after markers.ko where that is
has_markers()
{
	builds && strings shipped.ko | grep -qx 'softdep=pre: markers' &&
		readelf -SW shipped.ko | grep -q ' __marker_optional '
}
has_none() { builds "$@" && ! readelf -SW shipped.ko | grep -q marker; }
result "the driver to ship builds outside of the tree" has_markers
has_own_sites() { builds MARKERS_OPTIONAL=n && readelf -SW shipped.ko | grep -q ' __marker_sites '; }
result "with MARKERS_OPTIONAL=n it is a client like others" has_own_sites
sed -i "s,^-include .*,-include $dir/no/client.mk," Kbuild
result "and without client.mk, without markers" has_none
sed -i 's/seed %u round/seed %s round/' shipped.c
result "where the formats are checked, too" eval '! builds'

# with a pr_fmt() that has an argument
client acpi
cat >handle.c <<END
#define pr_fmt(fmt) "%s: " fmt, __func__
#include <linux/module.h>
#include <linux/acpi.h>
void of_a_handle(acpi_handle handle);
void of_a_handle(acpi_handle handle)
{
	acpi_handle_debug(handle, "no argument\\n");
	acpi_handle_debug(handle, "value %d\\n", 1);
}
MODULE_DESCRIPTION("client");
MODULE_LICENSE("GPL");
END
kbuild "$out" 'obj-m := handle.o'
sed -i '1i MARKERS_DEBUG := y' Kbuild
of_handles() { builds && strings handle.ko | grep -qx 'acpi %p: %s: value %d'; }
result "acpi_handle_debug() is a marker, too" of_handles
rm -f handle.ko
result "and with \"both\" it is both" builds MARKERS_DEBUG=both

# as drivers/mtd/devices/docg3.h has it
client parentheses
cat >parentheses.c <<END
#include <linux/module.h>
#include <linux/netdevice.h>
void in_parentheses(struct device *dev, struct net_device *net);
void in_parentheses(struct device *dev, struct net_device *net)
{
	dev_dbg(dev, ("first %d\\n"), 1);
	dev_vdbg(dev, ("second\\n"));
	netdev_dbg(net, ("third %d\\n"), 1);
}
MODULE_DESCRIPTION("client");
MODULE_LICENSE("GPL");
END
kbuild "$out" 'obj-m := parentheses.o'
sed -i '1i MARKERS_DEBUG := y' Kbuild
has_formats()
{
	builds &&
	for format in 'dev %s: first %d' 'dev %s: second' 'netdev %s%s: third %d'; do
		strings parentheses.ko | grep -qx "$format" || return 1
	done
}
result "a format of a debug statement may be in parentheses" has_formats
