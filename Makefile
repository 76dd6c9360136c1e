# SPDX-License-Identifier: GPL-2.0
#
# The targets of every day. The modules are described in Kbuild.

KDIR ?= /lib/modules/$(shell uname -r)/build
K ?= 6.1
T ?=
BASE ?=

KBUILD := $(MAKE) -C $(KDIR) M=$(CURDIR)

# markers.ko first and alone: a sample or a test module that this kernel does not take
# must not stop it. What is left then is as if there were no others.
modules: ## build all modules for the running kernel (KDIR=...: for another one)
	$(KBUILD) MARKERS_ONLY=1 modules
	@$(KBUILD) modules || { \
		$(KBUILD) MARKERS_ONLY=1 modules >/dev/null && echo && \
		echo "markers.ko is built and complete. A sample or a test module does not build for" && \
		echo "this kernel, see the error above: that is our bug, please report it."; }

# with CROSS_COMPILE=, into build/tools-$(ARCH)
TOOLS ?= build/tools$(if $(CROSS_COMPILE),-$(ARCH))
# those that run here, for what they say of themselves: man pages and completion
NATIVE ?= $(if $(CROSS_COMPILE),build/tools-native,$(TOOLS))
HOSTCC ?= gcc
FOR_NATIVE = CROSS_COMPILE= CC=$(HOSTCC) AR=ar CFLAGS=-O2 CPPFLAGS= LDFLAGS= STATIC= OUT=$(abspath $(NATIVE))
tools: ## the command "markers", into build/tools; with SQL where libsqlite3-dev is installed
	$(MAKE) -C scripts/markers OUT=$(abspath $(TOOLS))
	$(MAKE) -C scripts/vmcore OUT=$(abspath $(TOOLS))
ifneq ($(CROSS_COMPILE),)
	$(MAKE) -C scripts/markers $(FOR_NATIVE) $(abspath $(NATIVE))/markers
	$(MAKE) -C scripts/vmcore $(FOR_NATIVE)
endif

# What an installation has. DESTDIR goes before all of it, INSTALL_MOD_PATH in its place
# before /lib/modules.
comma := ,
prefix ?= /usr/local
DESTDIR ?=
INSTALL_MOD_PATH ?= $(DESTDIR)
BIN = $(DESTDIR)$(prefix)/bin
LIB = $(DESTDIR)$(prefix)/lib/markers
SHARE = $(DESTDIR)$(prefix)/share/markers
MAN = $(DESTDIR)$(prefix)/share/man/man1
UNITS = $(DESTDIR)$(prefix)/lib/systemd/system
EXAMPLES = $(DESTDIR)$(prefix)/share/doc/markers-tools/examples
COMPLETION = $(DESTDIR)$(prefix)/share/bash-completion/completions/markers
# As "uname -r" says it; distributions change what "make kernelrelease" says. The headers of
# the running kernel may be gone when markers is uninstalled.
RELEASE = $(or $(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' $(KDIR)/include/generated/utsrelease.h 2>/dev/null),\
	$(if $(filter file,$(origin KDIR)),$(shell uname -r)))
# the kernel that markers.ko here was built for
BUILT = $(shell [ ! -e markers.ko ] || tr '\0' '\n' <markers.ko | sed -n '/^vermagic=/{s///;s/ .*//;p;q}')
INSTALLED = $(INSTALL_MOD_PATH)/lib/modules/$(RELEASE)/updates/markers.ko
DEPMOD = depmod $(if $(INSTALL_MOD_PATH),-b $(INSTALL_MOD_PATH)) $(RELEASE)
# the commands of "markers", of which each has a man page
COMMANDS = $(shell sed -n 's/^const struct command command_\(.*\) = {$$/\1/p' scripts/markers/*/*.c)
# what a client is built with, in the folders that it has here
CLIENT = scripts/client.mk $(wildcard scripts/check-formats/*.[ch]) \
	$(filter-out $(addprefix markers/,arch.h log.h version.h),$(wildcard markers/*.h)) \
	$(addprefix markers/format/,format.c conversion.c field_names.c pointer.c format.h) \
	$(wildcard markers/compat/*.h markers/uapi/*.h markers/debug/*/*.h) \
	$(wildcard arch/*/include/markers/arch/*.h)

install: install-possible install-client install-tools ## install markers.ko for the kernel of KDIR, headers, the command with man pages (DESTDIR= prefix=)
	install -D -m 644 markers.ko $(INSTALLED)
	install -D -m 644 Module.symvers $(SHARE)/symvers/$(RELEASE)/Module.symvers
	$(DEPMOD)

known-release:
	@test -n "$(RELEASE)" || { echo "there are no kernel headers in $(KDIR): give those of the kernel with KDIR=" >&2; exit 1; }

install-possible: known-release
	@test -e markers.ko || { echo "there is no markers.ko here yet: run make first" >&2; exit 1; }
	@test "$(BUILT)" = "$(RELEASE)" || { \
		echo "markers.ko here was built for kernel $(BUILT), and not for $(RELEASE):" >&2; \
		echo "run make first, with the same KDIR as make install" >&2; exit 1; }

# of that only what clients need
install-client:
	@for file in $(CLIENT); do \
		install -D -m 644 $$file $(SHARE)/$$file || exit 1; \
	done

# the command; its tables of options give the man pages and the completion
install-tools:
	@test -e $(TOOLS)/markers && test -e $(NATIVE)/markers || { \
		echo "the command is not built yet: run make tools first$(if $(CROSS_COMPILE),$(comma) with the same ARCH and CROSS_COMPILE)" >&2; exit 1; }
	install -D -t $(BIN) $(wildcard $(addprefix $(TOOLS)/,markers markers-vmcore-to-ctf markers-query))
	[ ! -e $(TOOLS)/mod_markers.so ] || install -D -m 644 -t $(LIB) $(TOOLS)/mod_markers.so
	install -d $(MAN) $(dir $(COMPLETION)) $(UNITS)
	for unit in markers-record@.service markers-send@.service; do \
		sed 's,/usr/bin/,$(prefix)/bin/,' "scripts/systemd/$$unit" >"$(UNITS)/$$unit" && \
		chmod 644 "$(UNITS)/$$unit" || exit 1; \
	done
	install -D -m 644 -t $(EXAMPLES) scripts/systemd/record.conf scripts/systemd/send.conf
	$(NATIVE)/markers --completion >$(COMPLETION)
	$(NATIVE)/markers --man >$(MAN)/markers.1
	chmod 644 $(COMPLETION) $(MAN)/markers.1
	commands=$$($(NATIVE)/markers --commands) || exit 1; \
	for command in $$commands; do \
		$(NATIVE)/markers --man $$command >$(MAN)/markers-$$command.1 && \
		chmod 644 $(MAN)/markers-$$command.1 || exit 1; \
	done

uninstall: known-release ## the reverse of install
	rm -f $(INSTALLED) $(SHARE)/symvers/$(RELEASE)/Module.symvers
	rm -f $(BIN)/markers $(BIN)/markers-vmcore-to-ctf $(BIN)/markers-query $(LIB)/mod_markers.so \
		'$(UNITS)/markers-record@.service' '$(UNITS)/markers-send@.service' \
		$(EXAMPLES)/record.conf $(EXAMPLES)/send.conf \
		$(MAN)/markers.1 $(COMMANDS:%=$(MAN)/markers-%.1) $(COMPLETION) $(CLIENT:%=$(SHARE)/%)
	[ ! -d $(LIB) ] || rmdir --ignore-fail-on-non-empty $(LIB)
	[ ! -d $(SHARE) ] || find $(SHARE) -depth -type d -empty -delete
	[ ! -d $(INSTALL_MOD_PATH)/lib/modules/$(RELEASE) ] || $(DEPMOD)

deb: ## Debian packages, into build/deb; with lintian
	scripts/deb

check: ## style, unit tests, model, builds, tests in VMs, demo
	scripts/check

style: ## shellcheck, sparse, checkpatch, kernel-doc, layers, documentation
	scripts/check style

unit: ## tests of the pure parts in user space
	$(MAKE) -C selftests/unit run
	$(MAKE) -C selftests/command run

selftests: ## run the tests on this machine, as root (MODULES=DIR: with the .ko files)
	$(MAKE) -C selftests run_tests

qemu: ## run the tests in a VM (K=6.12: kernel, T=00basic: only these tests)
	scripts/check vm:$(K) $(T)

# What takes longer than a check.

torture: ## every hit checked under all that can go on (MINUTES=30 CPUS=4 K=6.1)
	TORTURE_SECONDS=$$(($(or $(MINUTES),30) * 60)) CPUS=$(or $(CPUS),4) \
		VM_TIMEOUT=$$(($(or $(MINUTES),30) * 90 + 600)) \
		LOGS=$(CURDIR)/build/torture scripts/check vm:$(K) stress/torture.tc

soak-vm: ## 5 million events from nested contexts in each mode, half with filters, in a VM (EVENTS=2500000)
	SOAK_EVENTS=$(or $(EVENTS),2500000) VM_TIMEOUT=3600 \
		LOGS=$(CURDIR)/build/soak scripts/check vm:$(K) stress/soak.tc

formats: ## how many of the messages of Linux 6.1 the parser takes, and what it refuses
	selftests/formats/run

debug-statements: ## unchanged drivers: what dynamic debug prints is what markers record
	selftests/debug-statements/run

four: ## all tests over debugfs in a guest with 4 CPUs (K=6.12 T=ring)
	CPUS=4 STRESS=3 LOGS=$(CURDIR)/build/check-4 scripts/check vm:$(K) $(T)

mutants: ## change one thing in a file, see whether a unit test fails, N=50 times (SEED=1 FILES=ring/packet.c)
	selftests/unit/mutants -n $(or $(N),50) -s $(or $(SEED),1) $(FILES)

fuzz: ## damaged traces through each command that reads a recording, with sanitizers (MINUTES=10)
	selftests/command/fuzz $(or $(MINUTES),10)

big: ## 10 GB through each command that reads a recording: speed and memory (GB=10)
	selftests/command/big 1 small
	selftests/command/big $(or $(GB),10)

week: ## a week of markers record --rotate --limit, and of its unit, at 10 MB/s (PARTS=2000 STARTS=100)
	$(MAKE) -C selftests/command week PARTS=$(PARTS) STARTS=$(STARTS)

delay: ## after which time a viewer shows an event of markers send --live (DELAYS="100 500")
	$(MAKE) -C selftests/command delay DELAYS="$(DELAYS)"

soak: ## 100 million events through the ring in each mode (EVENTS=1000000)
	$(MAKE) -C selftests/unit soak EVENTS=$(or $(EVENTS),100000000)

debug: ## all tests over debugfs on a kernel with KASAN, lockdep, kmemleak (built once)
	scripts/debug-kernel debug
	LOGS=$(CURDIR)/build/check-debug STRESS=3 VM_TIMEOUT=7200 PATIENCE=5 scripts/check vm:debug $(T)

kcsan: ## all tests over debugfs on a kernel with the race detector (built once)
	scripts/debug-kernel kcsan
	LOGS=$(CURDIR)/build/check-kcsan STRESS=3 VM_TIMEOUT=7200 PATIENCE=5 scripts/check vm:kcsan $(T)

clang: ## all tests over debugfs on a kernel of clang with ThinLTO, kCFI, IBT (built once)
	scripts/debug-kernel clang
	LOGS=$(CURDIR)/build/check-clang STRESS=3 VM_TIMEOUT=3600 PATIENCE=4 scripts/check build:clang vm:clang $(T)

arm64: ## builds and all tests over debugfs on arm64, 6.1 and 6.12, in qemu-system-aarch64
	LOGS=$(CURDIR)/build/check-arm64 STRESS=3 VM_TIMEOUT=3600 \
		scripts/check $(foreach k,6.1-arm64 6.12-arm64,build:$(k) vm:$(k)) $(T)

kernels: ## builds and tests on all kernels of scripts/kernels.txt, RT too, and of the generic backend
	KERNELS="$$(scripts/kernel --list | tr '\n' ' ')6.1-generic" \
		LONG=1 LOGS=$(CURDIR)/build/check-kernels scripts/check build vm $(T)

secureboot: ## a stock kernel and modules, signed, in a VM whose firmware wants that (K=6.12 T=react: tests there)
	selftests/secure-boot/run $(K) $(T)

packages: ## packages of Debian: built, installed, booted, upgraded, purged (15 minutes)
	selftests/packages/run

bench: ## compare with what else the kernel has, in VMs (BASE=result.tsv: and with that)
	BASE=$(BASE) scripts/bench -k $(K)

viewers: ## record in a VM, open it in the viewers, make the pictures of viewers.rst again (K=6.1)
	selftests/viewers/run $(K)

demo: ## from the build to a CTF trace, in a VM
	scripts/demo

docs: ## check the documentation (needs python3-docutils)
	scripts/check docs

clean: ## remove objects and logs (the kernels in build/ stay)
	rm -rf build/out build/check
	find . -path ./build -prune -o \( -name '*.o' -o -name '*.ko' -o -name '*.mod' \
		-o -name '*.mod.c' -o -name '.*.cmd' -o -name '.*.o.d' -o -name '.*.tmp' -o -name modules.order \
		-o -name Module.symvers \) -type f -exec rm -f {} +
	$(if $(wildcard selftests/unit/Makefile),$(MAKE) -C selftests/unit clean)

help: ## this list
	@sed -n 's/^\([a-z0-9-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

.PHONY: modules tools install install-possible install-client install-tools known-release uninstall deb check style unit selftests qemu torture formats debug-statements four mutants fuzz big week delay soak soak-vm debug \
	kcsan clang arm64 kernels secureboot packages bench demo viewers docs clean help
