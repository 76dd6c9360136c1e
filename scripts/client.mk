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

ccflags-y += -I$(MARKERS_DIR)
ifdef MARKERS_FORCE_GENERIC
ccflags-y += -DMARKERS_FORCE_GENERIC
endif

# Not needed, and not there yet, when markers.ko itself is being built.
ifneq ($(MARKERS_DIR),$(abspath $(KBUILD_EXTMOD)))
KBUILD_EXTRA_SYMBOLS += $(MARKERS_DIR)/Module.symvers
endif
