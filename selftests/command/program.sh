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
finish
