#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Common parts of the scripts: messages, directories, missing packages.
# Scripts source it:  . "$(dirname "$0")/lib.sh"

TOP=${TOP:-$(cd "$(dirname "$0")/.." && pwd)}
BUILD=${BUILD:-$TOP/build}
export TOP BUILD

case $TOP in
*[[:space:]:]*)
	echo "${0##*/}: error: kbuild and make cannot work in \"$TOP\": move it to a path without blanks and colons" >&2
	exit 1 ;;
esac

# say TEXT...: tell the user what happens, on stderr, so that stdout stays data
say()
{
	printf '==> %s\n' "$*" >&2
}

# die TEXT...: end with a message; TEXT says at its end what the reader can do about it
die()
{
	printf '%s: error: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

can_be_root()
{
	[ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null
}

as_root()
{
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die "\"$*\" needs root: become root or install sudo"
	fi
}

apt_install()
{
	# Another apt, such as that of unattended-upgrades, may hold the lock.
	as_root env DEBIAN_FRONTEND=noninteractive \
		apt-get install -y -qq -o DPkg::Lock::Timeout=300 --no-install-recommends "$@" >&2
}

# install_packages PKG...: install packages; fetch new lists if the present ones are too old
install_packages()
{
	command -v apt-get >/dev/null ||
		die "missing: $*; install them (there is no apt-get here to do it)"
	# Ask here, where nothing hides the message.
	can_be_root || die "missing: $*; installing them needs root: become root or install sudo"
	say "installing: $* (waits up to 5 minutes for another apt)"
	mkdir -p "$BUILD"
	# One of ours at a time: apt waits for the lock of dpkg, not for that of the lists.
	(
		! command -v flock >/dev/null || flock 7
		apt_install "$@" 2>/dev/null 7>&- || {
			as_root apt-get update -qq >&2 7>&-
			apt_install "$@" 7>&-
		}
	) 7>"$BUILD/.lock-apt" || die "could not install $*; install them by hand and run this again"
}

# need CMD:PKG...: install the packages of the missing commands. A CMD with a slash is a
# file; others are looked up in $PATH.
need()
{
	missing=
	for pair; do
		cmd=${pair%%:*}
		case $cmd in
		*/*)	[ -e "$cmd" ] && continue ;;
		*)	command -v "$cmd" >/dev/null && continue ;;
		esac
		missing="$missing ${pair#*:}"
	done
	# shellcheck disable=SC2086 # a list of package names
	[ -z "$missing" ] || install_packages $missing
}

# make_alone DIR [VARIABLE...]: make the programs of a directory; of all runs one at a time does it
make_alone()
{
	mkdir -p "$BUILD"
	flock -o "$BUILD/.lock-make" make -s -C "$@"
}

# list_sources: print the files of the project, without those that git ignores
list_sources()
{
	if git -C "$TOP" rev-parse --git-dir >/dev/null 2>&1; then
		git -C "$TOP" ls-files -co --exclude-standard
	else
		(cd "$TOP" && find . \( -name .git -o -path ./build \) -prune -o \
			-type f ! -name '*.o' ! -name '*.ko' ! -name '*.cmd' \
			! -name '*.mod' ! -name '*.mod.c' ! -name '.lock' -print | sed 's,^\./,,')
	fi | sort | while IFS= read -r file; do
		# Skip a file that the tree has lost but the index still has.
		[ ! -e "$TOP/$file" ] || printf '%s\n' "$file"
	done
}

# repo_uri SUITE: print the host's mirror for this suite of the host's release
repo_uri()
{
	apt-get indextargets --format "\$(RELEASE) \$(REPO_URI)" 'Created-By: Packages' |
		awk -v suite="$1" '$1 == suite { print $2; exit }'
}

# private_apt DIR SUITE...: from now on apt has its own lists and settings, in DIR, for
# suites that the host does not use; the mirror stays the host's
private_apt()
{
	apt_dir=$1
	shift
	mkdir -p "$apt_dir/lists/partial" "$apt_dir/cache/archives/partial" "$apt_dir/parts"
	: >"$apt_dir/status"

	codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
	main=$(repo_uri "$codename")
	security=$(repo_uri "$codename-security")
	[ -n "$main" ] || die "apt's sources have no suite \"$codename\"; add one, the mirror is taken from there"
	[ -n "$security" ] || security=${main%/}-security

	for suite; do
		case $suite in
		*-security)	uri=$security ;;
		*)		uri=$main ;;
		esac
		echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $uri $suite main"
	done >"$apt_dir/sources.list"

	cat >"$apt_dir/apt.conf" <<-END
		Dir::State::Lists "$apt_dir/lists";
		Dir::State::status "$apt_dir/status";
		Dir::Etc::SourceList "$apt_dir/sources.list";
		Dir::Etc::SourceParts "$apt_dir/parts";
		Dir::Etc::Preferences "/dev/null";
		Dir::Etc::PreferencesParts "$apt_dir/parts";
		Dir::Cache "$apt_dir/cache";
		Dir::Cache::pkgcache "";
		Dir::Cache::srcpkgcache "";
		Acquire::Languages "none";
		APT::Sandbox::User "root";
	END
	APT_CONFIG=$apt_dir/apt.conf
	export APT_CONFIG
}

# apt_architectures ARCH...: what private_apt set up is for these, by their names in Debian;
# the first one is meant where none is named
apt_architectures()
{
	cat >>"$APT_CONFIG" <<-END
		APT::Architecture "$1";
		APT::Architectures { $(printf '"%s"; ' "$@")};
	END
}

# label_of LABEL: print the label of a kernel, for the architecture that ARCH= asks for:
# "6.1" is 6.1-arm64 with ARCH=arm64
label_of()
{
	case ${ARCH:-x86}:$1 in
	arm64:*-arm64*)	echo "$1" ;;
	arm64:*-generic) echo "${1%-generic}-arm64-generic" ;;
	arm64:*)	echo "$1-arm64" ;;
	x86:*|x86_64:*|amd64:*) echo "$1" ;;
	*)		die "no kernels are known for ARCH=$ARCH; x86 and arm64 are" ;;
	esac
}

# set_arch LABEL: set $arch to the architecture of a label, by its name in Linux, $machine to
# its name in "uname -m", and $cross to the prefix of a compiler's tools for it
set_arch()
{
	case $1 in
	*-arm64*)	arch=arm64 machine=aarch64 cross=aarch64-linux-gnu- ;;
	*)		arch=x86 machine=x86_64 cross= ;;
	esac
	[ "$(uname -m)" != $machine ] || cross=
}

# need_compiler: install what builds modules and programs for $arch
need_compiler()
{
	if [ -z "$cross" ]; then
		need gcc:gcc /usr/include/stdio.h:libc6-dev
	else
		need "${cross}gcc:gcc-${cross%-}" "/usr/${cross%-}/include/stdio.h:libc6-dev-$arch-cross"
	fi
}
