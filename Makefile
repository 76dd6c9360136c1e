# SPDX-License-Identifier: GPL-2.0
#
# The targets of every day. The modules are described in Kbuild.

KDIR ?= /lib/modules/$(shell uname -r)/build
K ?= 6.1
T ?=

modules: ## build all modules for the running kernel (KDIR=...: for another one)
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules

install: ## install the modules built
	$(MAKE) -C $(KDIR) M=$(CURDIR) modules_install

check: ## style, unit tests, builds and tests in VMs: everything
	scripts/check

style: ## shellcheck, sparse, checkpatch, kernel-doc, layers
	scripts/check style

unit: ## tests of the pure parts in user space
	$(MAKE) -C selftests/unit run

selftests: ## run the tests on this machine, as root (not in a VM)
	$(MAKE) -C selftests run_tests

qemu: ## run the tests in a VM (K=6.12: kernel, T=00basic: only these tests)
	scripts/check vm:$(K) $(T)

demo: ## from the build to a CTF trace, in a VM
	scripts/demo

docs: ## check the documentation (needs python3-docutils)
	scripts/check docs

clean: ## remove what the build made here (build/ stays: it has the kernels)
	rm -rf build/out build/check
	find . -path ./build -prune -o \( -name '*.o' -o -name '*.ko' -o -name '*.mod' \
		-o -name '*.mod.c' -o -name '.*.cmd' -o -name modules.order \
		-o -name Module.symvers \) -type f -exec rm -f {} +
	$(if $(wildcard selftests/unit/Makefile),$(MAKE) -C selftests/unit clean)

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 14

.PHONY: modules install check style unit selftests qemu demo docs clean help
