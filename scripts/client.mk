# SPDX-License-Identifier: GPL-2.0
#
# For the Kbuild file of a module with markers, in this tree or out of it:
#
#	include <path of markers>/scripts/client.mk
#
# Gives the compiler the include path, and modpost the symbols of markers.ko,
# which must have been built for the same kernel.

MARKERS_DIR := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))/..
MARKERS_DIR := $(abspath $(MARKERS_DIR))

# The one place that chooses the architecture: <markers/arch/...> is found in its folder.
# MARKERS_FORCE_GENERIC=1 patches no code, on x86 too.
MARKERS_ARCH := $(if $(filter y,$(CONFIG_X86_64)$(MARKERS_FORCE_GENERIC)),x86,generic)

ccflags-y += -I$(MARKERS_DIR) -I$(MARKERS_DIR)/arch/$(MARKERS_ARCH)/include

# Not needed, and not there yet, when markers.ko itself is being built.
ifneq ($(MARKERS_DIR),$(abspath $(KBUILD_EXTMOD)))
KBUILD_EXTRA_SYMBOLS += $(MARKERS_DIR)/Module.symvers
endif
