#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers doctor, in a root directory whose /sys, /proc and /lib/modules are plain files: what
# it says where the module is not signed, the kernel is locked down, debugfs is missing, and so
# on. (command/doctor.tc runs it on a real machine.)

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

alone=${PATH%%:*}-static/markers
PATH=$PATH:/usr/sbin:/sbin	# chroot; a user may lack these
if [ "$(id -u)" -eq 0 ]; then
	become_root=
else
	become_root="unshare -r"
fi
# shellcheck disable=SC2086 # words
$become_root chroot / true 2>/dev/null || { echo "1..0 # SKIP needs root, for a chroot"; exit 0; }

release=$(uname -r)
modules=lib/modules/$release

# a machine on which all is well; markers.ko is not signed
make_root()
{
	rm -rf root
	mkdir -p root/proc/sys/kernel "root/$modules/updates/dkms" "root/$modules/build" root/sys/module/markers \
		root/sys/module/module/parameters root/sys/kernel/security root/sys/kernel/debug \
		root/sys/kernel/tracing/events/m/one root/sys/kernel/tracing/events/m/two
	cp "$alone" root/markers
	printf 'none %s rw 0 0\n' "/sys/kernel/debug debugfs" "/sys/kernel/tracing tracefs" >root/proc/mounts
	echo 1401 >root/sys/kernel/tracing/events/m/one/id
	echo 1402 >root/sys/kernel/tracing/events/m/two/id
	echo 3 >root/proc/sys/kernel/perf_event_paranoid
	echo "[none] integrity confidentiality" >root/sys/kernel/security/lockdown
	echo lsm >root/sys/kernel/security/lsm
	echo N >root/sys/module/module/parameters/sig_enforce
	echo ELF >"root/$modules/updates/dkms/markers.ko"
	(fake_markers && mv fake root/sys/kernel/debug/markers)
}

lock_down() { echo "none [integrity] confidentiality" >root/sys/kernel/security/lockdown; }
sign() { echo "~Module signature appended~" >>"root/$modules/updates/dkms/markers.ko"; }
unload() { rmdir root/sys/module/markers; }

# doctor STATUS WHAT [CHROOT-OPTION]; about the modules $asked, too
asked=
doctor()
{
	# shellcheck disable=SC2086 # words
	env -u MARKERS_DIR $become_root chroot ${3-} root /markers doctor $asked >report 2>&1
	is $? "$1" "$2: status"
}

# says PATTERN WHAT
says()
{
	grep -qE "$1" report
	result $? "$2" || cat report
}

# silent PATTERN WHAT
silent()
{
	! grep -qE "$1" report
	result $? "$2"
}

make_root
doctor 0 "all is well"
says '^ok +the kernel is not locked down' "the kernel is not locked down"
silent '^(problem|note)' "nothing to complain of"

make_root
unload
doctor 1 "not loaded"
says '^ +-> modprobe markers' "the next step"
silent 'signed' "nobody wants a signature"

# CONFIG_MODULE_COMPRESS_XZ
mkdir -p root/usr/src/markers-0.1
: >root/usr/src/markers-0.1/dkms.conf
for end in xz zst gz; do
	mv "root/$modules/updates/dkms/"markers.ko* "root/$modules/updates/dkms/markers.ko.$end"
	doctor 1 "not loaded, compressed ($end)"
	says '^ +-> modprobe markers' "the next step ($end)"
	silent 'DKMS|compressed' "it is built, and nobody wants a signature ($end)"
done
lock_down
doctor 1 "lockdown, compressed"
says '^note +/lib/.*/markers.ko.gz is compressed: doctor sees neither .*, nor who signed it$' "its signature is not seen"
says '^ +-> modinfo FILE prints both' "who sees it"
silent 'not signed' "it does not claim to know"
mkdir root/sys/module/markers
doctor 0 "lockdown, compressed, loaded"
silent 'compressed' "the kernel has taken it"

make_root
unload
echo Y >root/sys/module/module/parameters/sig_enforce
doctor 1 "sig_enforce, not signed"
says '^problem +/lib/.*/markers.ko is not signed' "the module is not signed"
sign
doctor 1 "sig_enforce, signed"
says 'mokutil --test-key /var/lib/dkms/mok.pub' "how to look whether its key is enrolled"

make_root
unload
lock_down
doctor 1 "lockdown, not signed"
says '^note +the kernel is locked down: none \[integrity\] confidentiality: it takes no module without a signature' "the kernel is locked down"
says '^problem +/lib/.*/markers.ko is not signed' "sig_enforce is N, but lockdown wants a signature"
sign
doctor 1 "lockdown, signed"
says 'mokutil --test-key /var/lib/dkms/mok.pub' "how to look whether its key is enrolled"
mkdir root/sys/module/markers
doctor 0 "lockdown, loaded"
says '^ok +/lib/.*/markers.ko is signed' "the kernel knew the key"

make_root
rm root/sys/kernel/security/*
doctor 0 "securityfs is not mounted"
says '^note +unknown whether the kernel is locked down' "it does not claim to know"
says '^ +-> mount -t securityfs' "the next step"
echo lsm >root/sys/kernel/security/lsm
doctor 0 "a kernel without lockdown"
says '^ok +the kernel is not locked down' "is not locked down"

make_root
: >root/proc/mounts
doctor 1 "no debugfs"
says '^problem +debugfs is not mounted' "it is not mounted"
says '^ +-> mount -t debugfs none /sys/kernel/debug' "the next step"

make_root
rmdir "root/$modules/build"
doctor 0 "no headers"
says '^ +-> apt-get install linux-headers' "the next step"

# the package markers-dkms without a module
make_root
unload
rm "root/$modules/updates/dkms/markers.ko"
doctor 1 "no module"
says '^ +-> insmod markers.ko' "the next step"
mkdir -p root/usr/src/markers-0.1
: >root/usr/src/markers-0.1/dkms.conf
doctor 1 "DKMS has not built it"
says "^problem +DKMS has the source of markers 0.1, but has not built it for kernel $release" "who has to build it"
says '^ +-> dkms install markers/0.1; .*make.log' "how, and where its messages are"
silent insmod "it is not for the user to do"
rmdir "root/$modules/build"
doctor 1 "nor can it"
says '^ +-> it needs the headers, .*: apt-get install linux-headers-' "what it needs"

# a module that somebody asks about
built_for() { printf 'ELF\0vermagic=%s SMP mod_unload \0' "$1"; }
byte() { printf '%b' "\\0$(printf %03o "$1")"; }
# signed_by NAME: as the kernel's sign-file appends it, in short: the name of two certificates
signed_by()
{
	printf '\006\003U\004\003\014\006Issuer\006\003U\004\003\014'
	byte ${#1}
	printf '%s\0\0\002\0\0\0\0\0\0\0\0' "$1"
	byte $((20 + ${#1}))
	printf '~Module signature appended~\n'
}
keys()
{
	{
		echo "1450dec8 I------     1 perm 1f0f0000     0     0 keyring   .platform: 2"
		echo "352dd0cd I------     1 perm 1f030000     0     0 asymmetric $1: 8963f707: X509.rsa 371a5bb8 []"
	} >root/proc/keys
}
make_root
asked=/m.ko
built_for "$release" >root/m.ko
doctor 0 "a module for this kernel"
says '^ok +/m.ko was built for this kernel$' "it was built for it"
silent signed "nobody wants a signature"
lock_down
sign
doctor 1 "a module that is not signed, under lockdown"
says '^problem +/m.ko is not signed, and the kernel takes signed modules only$' "the problem"
says '^ +-> sign it with a key .*: sign-file sha256 KEY CERTIFICATE FILE$' "the next step"
signed_by "My Key" >>root/m.ko
doctor 0 "a module that is signed"
says '^note +/m.ko is signed by "My Key"; the kernel takes it only if it has that key$' "it cannot see keys"
keys "Other My Key 2"
doctor 1 "the kernel has another key"
says '^problem +/m.ko is signed by "My Key"; the kernel takes it only if it has that key$' "whose key is missing"
says '^ +-> another key: mokutil --import CERTIFICATE, and reboot' "the next step"
keys "My Key"
doctor 0 "the kernel has the key"
says '^ok +/m.ko is signed by "My Key", and the kernel has a key of that name$' "it has it"
{ built_for "$release"; printf '\377\377\377\377~Module signature appended~\n'; } >root/m.ko
doctor 1 "a signature that cannot be read"
says '^problem +/m.ko is signed by ""' "it has no name"
built_for 1.2.3 >root/m.ko
doctor 1 "a module for another kernel"
says "^problem +/m.ko was built for kernel 1.2.3, and this is $release" "for which"
echo text >root/m.ko
doctor 1 "no module"
says '^problem +/m.ko is not the file of a module$' "it says so"
asked=/m.ko.xz
echo xz >root/m.ko.xz
doctor 0 "a module that is compressed"
says '^note +/m.ko.xz is compressed' "it says so"
silent 'not the file of a module' "it does not claim to know what it is"
built_for "$release" >"root/$modules/updates/dkms/mydriver.ko"
asked="mydriver nosuch"
doctor 1 "modules by name"
says "^ok +/$modules/updates/dkms/mydriver.ko was built for this kernel" "where it is installed"
says "^problem +there is no module file nosuch for kernel $release" "one that is not"
asked=

# why perf does not see a marker
make_root
doctor 0 "nothing is published"
says '^ok +no marker is published for perf, trace-cmd and bpftrace' "it says how"
debugfs=root/sys/kernel/debug/markers
publish()
{
	make_root
	printf 'm:one\nm:two\n' >$debugfs/publish
	printf 'm:one\tm/one\tid 1401\tused by: perf\nm:two\tm/two\tid 1402\tused by: -\n' >$debugfs/published
}
publish
doctor 0 "two markers are published"
says '^ok +2 markers are published in /sys/kernel/tracing/events$' "both are there"
silent perf_event_paranoid "root may use perf"

publish
echo 'n:wait* # pending' >>$debugfs/publish
doctor 0 "a pattern that waits"
says '^note +n:wait\* is to be published, but no loaded module has such a marker' "the pattern"
says '^ +-> load the module' "the next step"

publish
printf 'm:three\t# tracefs has an event of that name\n' >>$debugfs/published
doctor 1 "a name is taken"
says '^problem +m:three is not published: tracefs has an event of that name$' "the reason"
says '^ +-> rename the marker, or unload the module' "the next step"

publish
echo "none /sys/kernel/debug debugfs rw 0 0" >root/proc/mounts
doctor 1 "tracefs is not mounted"
says '^problem +tracefs is not mounted' "it is not"
says '^ +-> mount -t tracefs nodev /sys/kernel/tracing' "the next step"
mkdir -p root/sys/kernel/debug
mv root/sys/kernel/tracing root/sys/kernel/debug/tracing
doctor 0 "tracefs in debugfs"
says '^ok +2 markers are published in /sys/kernel/debug/tracing/events$' "it finds it"

publish
rm -r root/sys/kernel/tracing/events/m/two
doctor 1 "an event is missing"
says '^problem +/sys/kernel/tracing/events/m/two/id: No such file or directory, although m:two is published' "which one"

publish
echo 77 >root/sys/kernel/tracing/events/m/one/id
doctor 1 "the event of another"
says '^problem +/sys/kernel/tracing/events/m/one/id is not that of m:one' "which one"

publish
echo "none integrity [confidentiality]" >root/sys/kernel/security/lockdown
sign
doctor 1 "lockdown for confidentiality"
says '^problem +lockdown for confidentiality: no file of markers, perf, trace-cmd or bpftrace can be used' "no tool sees any"
silent "the trace clock is" "it does not look at files that cannot be read"

publish
rm $debugfs/publish $debugfs/published
doctor 0 "a markers.ko that cannot publish"
says '^note +this markers.ko cannot publish' "it says so"

if [ -z "$become_root" ]; then
	make_root
	chmod 755 . root
	chmod 700 root/sys/kernel/debug
	doctor 1 "not root" --userspec=65534:65534
	says '^note +not root' "it says so"
	says '^problem +/sys/kernel/debug/markers: permission denied' "the directory"
	says '^ +-> become root' "the next step"
	chmod 755 root/sys/kernel/debug
	chmod 644 root/sys/kernel/debug/markers/set_marker
	doctor 1 "not root, debugfs is open to all" --userspec=65534:65534
	says '^problem +.*/set_marker cannot be written' "set_marker"
	publish
	chmod 755 . root
	doctor 1 "not root, markers are published" --userspec=65534:65534
	says '^note +perf_event_paranoid is 3: perf shows fields of events to root only' "perf"
	chmod 700 root/sys/kernel/tracing
	doctor 1 "not root, tracefs is closed" --userspec=65534:65534
	says '^note +/sys/kernel/tracing: permission denied' "tracefs"
else
	skip "needs root" "permissions"
fi
finish
