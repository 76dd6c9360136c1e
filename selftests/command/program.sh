#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# markers finds the program with the other commands beside itself.

# shellcheck source=selftests/command/kit
. "$(dirname "$0")/kit"

mkdir "it's here"
cp "$(command -v markers)" "it's here/"
cat >"it's here/markers-convert" <<'END'
#!/bin/sh
echo "other $*"
END
chmod +x "it's here/markers-convert"
"it's here/markers" --help >help 2>error
grep -q '^other --list-commands$' help
result $? "its commands are in the help, from a path with a quotation mark"
is "$("it's here/markers" nosuch a 'b c' 2>error)" "other nosuch a b c" "what it has is run by it"
printf '#!/bin/sh\nexit 3\n' >"it's here/markers-convert"
"it's here/markers" --help >help 2>error
grep -q 'markers-convert --list-commands failed$' error
result $? "its failure is told"
printf '#!/bin/sh\nkill -PIPE $$\n' >"it's here/markers-convert"
"it's here/markers" --help >help 2>error
is "$(cat error)" "" "not that nobody reads what it prints"
rm "it's here/markers-convert"

# says STATUS LINE COMMAND...: that status, and exactly this line on stderr
says()
{
	wanted=$1 line=$2
	shift 2
	"$@" >printed 2>error
	is "$? $(cat error)" "$wanted markers: $line" "$*"
}

says 2 "no command \"report\"; those that read recordings are in markers-convert, which is not installed; try \"markers --help\"" \
	"it's here/markers" report
says 2 "unknown option --bogus; try \"markers --help\"" markers --bogus
says 2 "unknown option --bogus; try \"markers list --help\"" markers list --bogus
says 2 "unknown option -x; try \"markers list --help\"" markers list -xl
says 2 "unknown option -x; try \"markers list --help\"" markers list -lx
says 2 "unknown option -x; try \"markers list --help\"" markers list --long -xl
says 2 "unknown option -x; try \"markers record --help\"" markers record --clock=mono -xC
says 2 "--o may be several options; try \"markers record --help\"" markers record --o
says 2 "--long takes no value; try \"markers list --help\"" markers list --long=1
says 2 "--help takes no value; try \"markers list --help\"" markers list --help=1
says 2 "--clock needs a value; try \"markers record --help\"" markers record --clock
says 2 "-C needs a value; try \"markers record --help\"" markers record -C
says 2 "unexpected argument \"x\"; try \"markers status --help\"" markers status x
version=$(sed -n 's/^#define MARKERS_VERSION_M[A-Z]*[[:space:]]*//p' "$here/../../markers/version.h" | paste -sd.)
is "$(markers --version)" "markers $version" "--version is that of markers.ko"
for words in --help "list --help" "help list" --version; do
	# shellcheck disable=SC2086 # words
	is "$(markers $words 2>&1 >/dev/full; echo $?)" "markers: stdout: No space left on device
1" "$words, with a full disk"
done
if command -v markers-convert >/dev/null; then
	says 2 "no command \"bogus\"; try \"markers --help\"" markers bogus
	says 2 "no command \"bogus\"; try \"markers --help\"" markers --man bogus
	says 2 "no command \"bogus\"; try \"markers --help\"" markers help bogus
	says 2 "which recording? Try \"markers report --help\"" markers report
	says 2 "unexpected argument \"b\"; try \"markers report --help\"" markers report a b
	is "$(markers report --help 2>&1 >/dev/full; echo $?)" "markers: stdout: No space left on device
1" "help of the other program, with a full disk"
fi
finish
