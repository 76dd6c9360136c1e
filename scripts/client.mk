# SPDX-License-Identifier: GPL-2.0
#
# For the Kbuild file of a module with markers, in this tree or out of it:
#
#	include <path of markers>/scripts/client.mk
#
# Gives the compiler the include path, and modpost the symbols of markers.ko, which
# must have been built for the same kernel; and has the formats of all markers
# checked, after the objects are made and before they become modules.
#
# markers-unchecked := x.o y.o are modules whose formats are not checked.

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

# Kbuild has no hook behind the link of a .ko.  But Makefile.modpost reads the Kbuild
# of the top, for KBUILD_EXTRA_SYMBOLS, when the object of each module is complete.
ifneq ($(filter %/Makefile.modpost,$(MAKEFILE_LIST)),)

# since Linux 7 there is no MODORDER, and this is the directory
markers-order := $(or $(MODORDER),modules.order)
# "make clean" of any kernel removes .*.tmp
markers-checker := $(dir $(markers-order)).check-formats.tmp
markers-checker-base := $(MARKERS_DIR)/scripts/check-formats/base.h
markers-objects = $(filter-out $(markers-unchecked) $(addprefix %/,$(markers-unchecked)),\
	$(patsubst %.ko,%.o,$(shell cat $(markers-order))))

# Without a compiler for this machine the build goes on: markers.ko checks again.
quiet_cmd_markers_checker = HOSTCC  $@
      cmd_markers_checker = $(HOSTCC) -std=gnu11 -I$(MARKERS_DIR) -include $(markers-checker-base) \
	-o $@ $(filter %.c,$^) || rm -f $@

$(markers-checker): $(MARKERS_DIR)/scripts/check-formats/check-formats.c $(markers-checker-base) \
		$(addprefix $(MARKERS_DIR)/markers/format/,format.c pointer.c format.h)
	$(call cmd,markers_checker)

quiet_cmd_markers_formats = FORMATS $(markers-order)
      cmd_markers_formats = if [ -x $(markers-checker) ]; then \
		$(markers-checker) $(markers-objects); \
	else \
		echo >&2 "note: $(HOSTCC) does not compile, see above: formats of markers are checked at load only"; \
	fi

PHONY += __markers_formats
__markers_formats: $(markers-checker) $(markers-order)
	$(call cmd,markers_formats)

__modpost: __markers_formats
endif
