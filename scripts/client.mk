# SPDX-License-Identifier: GPL-2.0
#
# For modules with markers, in this tree or out of it. Include it once, in the Kbuild of the
# directory that make gets as M=. It applies to the directories below, too:
#
#	include <path of markers>/scripts/client.mk
#
# It gives the compiler the include path, and modpost the symbols of markers.ko. Build
# markers.ko for the same kernel first. It also checks the formats of all markers, once the
# objects are complete and before they become modules.
#
# markers-unchecked := x.o y.o exempts modules from the check of formats.
# MARKERS_DEBUG := y, before the include, turns the debug statements of all these modules
# into markers: pr_debug(), dev_dbg(), netdev_dbg() and the like. With "both" they stay
# statements of dynamic debug, too.
# MARKERS_OPTIONAL := y, before the include, makes modules that load without markers.ko, where their
# markers are NOPs, and that it connects when it is loaded. The build needs no markers.ko either.
# A directory below has its own values if it includes this file itself; what is y above it stays y.
# MARKERS_SYMVERS=FILE names the Module.symvers of a markers.ko that was built elsewhere. For
# an installed markers.ko, make finds it by the kernel's release ("uname -r").

# Included twice, it is read once.
ifeq ($(markers-included),)
markers-included := y

MARKERS_DIR := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))/..
MARKERS_DIR := $(abspath $(MARKERS_DIR))

# Only Kbuild can build a module. It has read the kernel's configuration by now.
ifeq ($(objtree)$(KBUILD_EXTMOD),)
markers-headers-here := /lib/modules/$(shell uname -r)/build
$(error client.mk is for a Kbuild file, which the kernel's make reads: \
$(if $(wildcard $(markers-headers-here)/Makefile),"make -C $(markers-headers-here) M=$(CURDIR) modules",\
there is no $(markers-headers-here) for that: install the headers of this kernel, for instance \
"apt install linux-headers-$(shell uname -r)"))
endif
ifeq ($(KBUILD_EXTMOD),)
$(error client.mk is for modules outside of the kernel's tree: build with M=<directory>)
endif
ifeq ($(wildcard $(MARKERS_DIR)/markers/marker.h),)
$(error there is no $(MARKERS_DIR)/markers/marker.h: client.mk has to stay where it is, include it from there)
endif

# Optional markers are left out of a kernel of 32 bits: the compiler does not find marker.h.
ifneq ($(MARKERS_OPTIONAL)-$(CONFIG_64BIT),y-)

# Only this line chooses the architecture: its folder has the <markers/arch/...> headers.
# MARKERS_FORCE_GENERIC=1 patches no code. On arm64, kernels before 6.0 have no entries in the
# exception table that fit.
MARKERS_ARCH := $(if $(filter y,$(CONFIG_X86_64)$(MARKERS_FORCE_GENERIC)),x86,$(strip \
	$(if $(filter y,$(CONFIG_ARM64)$(MARKERS_FORCE_GENERIC)),$(if $(shell \
		grep -s _ASM_EXTABLE_KACCESS_ERR_ZERO $(srctree)/arch/arm64/include/asm/asm-extable.h),arm64,generic),generic)))

# ccflags-y would not do: it applies only to this directory, and a "ccflags-y :=" after this
# include would discard it.
# The kernel's flags make __FILE__ relative to the kernel's tree, ours to the module's tree.
markers-include := -I$(MARKERS_DIR) -I$(MARKERS_DIR)/arch/$(MARKERS_ARCH)/include \
	$(if $(findstring prefix-map,$(KBUILD_CPPFLAGS)),-fmacro-prefix-map=$(KBUILD_EXTMOD)/=)
KBUILD_CPPFLAGS := $(filter-out $(markers-include),$(KBUILD_CPPFLAGS)) $(markers-include)

# Headers that the compiler finds before the kernel's, see markers/debug.h.
ifneq ($(filter-out n,$(MARKERS_DEBUG)),)
ifeq ($(filter y both,$(MARKERS_DEBUG)),)
$(error MARKERS_DEBUG is "$(MARKERS_DEBUG)", and has to be y, both, or n)
endif
KBUILD_CPPFLAGS := $(filter-out -DMARKERS_DEBUG=%,$(KBUILD_CPPFLAGS)) \
	-DMARKERS_DEBUG=$(if $(filter both,$(MARKERS_DEBUG)),2,1)
markers-headers := -I$(MARKERS_DIR)/markers/debug
NOSTDINC_FLAGS := $(filter-out $(markers-headers),$(NOSTDINC_FLAGS)) $(markers-headers)
endif

ifneq ($(filter-out n,$(MARKERS_OPTIONAL)),)
ifneq ($(MARKERS_OPTIONAL),y)
$(error MARKERS_OPTIONAL is "$(MARKERS_OPTIONAL)", and has to be y, or n)
endif
markers-optional := y
KBUILD_CPPFLAGS := $(filter-out -DMARKERS_OPTIONAL,$(KBUILD_CPPFLAGS)) -DMARKERS_OPTIONAL
endif

# The flags come from the directories above, and modpost has read the value of the top.
markers-above := $(strip $(foreach name,MARKERS_OPTIONAL MARKERS_DEBUG,\
	$(if $(filter n,$($(name))),$(if $(filter -D$(name) -D$(name)=%,$(KBUILD_CPPFLAGS)),$(name)))))
ifneq ($(markers-above),)
$(error $(firstword $(markers-above)) is n in $(src), and y in a directory above: set it only in the directories that want it)
endif

markers-kbuild = $(or $(wildcard $(1)/Kbuild),$(1)/Makefile)

# modpost reads only the top Kbuild. In a directory below: has the top included this file?
ifneq ($(filter %/Makefile.build,$(MAKEFILE_LIST)),)
ifneq ($(CONFIG_64BIT),y)
$(error markers need a kernel of 64 bits, and the one of $(objtree) is not)
endif
ifneq ($(filter . $(KBUILD_EXTMOD),$(obj)),)
export MARKERS_TOP := $(KBUILD_EXTMOD)
else ifneq ($(filter-out $(MARKERS_TOP),$(if $(KBUILD_EXTRA_SYMBOLS)$(markers-optional),,$(KBUILD_EXTMOD))),)
$(error $(call markers-kbuild,$(src)) includes client.mk, but $(call markers-kbuild,$(KBUILD_EXTMOD)) does not, \
so modpost would not find the symbols of markers.ko: put the line \
"include $(MARKERS_DIR)/scripts/client.mk" there, it holds for all directories below)
endif
endif

# The symbols of markers.ko, unless this is the build of markers.ko. They come from
# scripts/build for these headers, from make, from make install, or from DKMS. Makefile.modpost
# needs them, and reads the top Kbuild when all is compiled. Makefile.build has it first, and
# says what is wrong before it compiles; a single object needs no symbols.
markers-single := $(filter %.o %.i %.s %.ll %.lst %.symtypes,$(MAKECMDGOALS) $(KBUILD_SINGLE_TARGETS))
markers-reader := $(filter %/Makefile.modpost,$(MAKEFILE_LIST)) \
	$(if $(need-modorder),$(if $(markers-single),,$(filter . $(KBUILD_EXTMOD),$(obj))))
ifneq ($(if $(markers-optional),,$(strip $(markers-reader))),)
ifneq ($(MARKERS_DIR),$(abspath $(KBUILD_EXTMOD)))
markers-labels := $(foreach headers,$(wildcard $(MARKERS_DIR)/build/kernels/*/headers),\
	$(if $(filter $(realpath $(objtree)),$(realpath $(headers))),\
		$(notdir $(patsubst %/headers,%,$(headers)))))
markers-release := $(shell sed -n 's/.*UTS_RELEASE "\(.*\)"/\1/p' $(objtree)/include/generated/utsrelease.h)
# "make" leaves them in the tree for one kernel, the one that its markers.ko names.
markers-built := $(if $(wildcard $(MARKERS_DIR)/markers.ko),\
	$(shell tr '\0' '\n' <$(MARKERS_DIR)/markers.ko | sed -n '/^vermagic=/{s///;s/ .*//;p;q}'))
markers-other := $(filter-out $(markers-release),$(markers-built))
markers-symvers := $(if $(MARKERS_SYMVERS),$(MARKERS_SYMVERS),\
	$(patsubst %,$(MARKERS_DIR)/build/out/%$(if $(MARKERS_FORCE_GENERIC),-generic)/Module.symvers,\
		$(markers-labels)) \
	$(if $(markers-other),,$(MARKERS_DIR)/Module.symvers) \
	$(MARKERS_DIR)/symvers/$(markers-release)/Module.symvers \
	/var/lib/dkms/markers/kernel-$(markers-release)-*/module/Module.symvers)
# KBUILD_EXTRA_SYMBOLS is for the symbols of other modules, and may have ours.
markers-given := $(shell grep -ls 'marker_layout_[0-9]' $(KBUILD_EXTRA_SYMBOLS) /dev/null)
ifeq ($(strip $(wildcard $(markers-symvers))$(markers-given)),)
$(error markers.ko was not built for this kernel, $(if $(markers-other),the one in $(MARKERS_DIR) is for $(markers-other) and ,)there \
is no $(strip $(markers-symvers)): build it by \
$(if $(wildcard $(MARKERS_DIR)/markers/main.c),"make -C $(MARKERS_DIR) KDIR=$(realpath $(objtree))",$(strip \
	"apt install markers-dkms" or by "make install" in the source of markers (if that package is installed: by \
	"dkms autoinstall -k $(markers-release)"))), or say where its symbols are, MARKERS_SYMVERS=<file>)
endif
markers-symvers := $(firstword $(markers-given) $(wildcard $(markers-symvers)))
ifeq ($(markers-given),)
ifeq ($(origin KBUILD_EXTRA_SYMBOLS),command line)
override KBUILD_EXTRA_SYMBOLS += $(markers-symvers)
else
KBUILD_EXTRA_SYMBOLS += $(markers-symvers)
endif
endif
markers-layout := $(shell sed -n 's/^.define MARKER_LAYOUT[[:space:]]*//p' $(MARKERS_DIR)/markers/marker_types.h)
ifneq ($(markers-symvers),)
ifeq ($(shell grep -w marker_layout_$(markers-layout) $(markers-symvers)),)
$(error the markers.ko of $(markers-symvers) does not have layout $(markers-layout), as the headers in $(MARKERS_DIR) do, \
so it would not load these modules: build it again, from the same sources as the headers)
endif
markers-generic := $(filter generic,$(MARKERS_ARCH))
markers-fire := $(if $(markers-generic),marker_dispatch,marker_thunk)
ifeq ($(shell grep -w $(markers-fire) $(markers-symvers)),)
$(error the markers.ko of $(markers-symvers) was built $(if $(markers-generic),without,with) MARKERS_FORCE_GENERIC=1, \
and these modules would be built $(if $(markers-generic),with,without) it, so they could not call it: \
build them or markers.ko again, both with it or both without)
endif
endif
endif
endif

ifneq ($(filter %/Makefile.modpost,$(MAKEFILE_LIST)),)

# Check the formats. Kbuild has no hook after the link of a .ko. But Makefile.modpost reads
# the top Kbuild to get the symbols, when the object of each module is complete.

# Since Linux 7 there is no MODORDER, and the current directory is the right one.
markers-order := $(or $(MODORDER),modules.order)
# "make clean" of every kernel removes .*.tmp.
markers-checker := $(dir $(markers-order)).check-formats.tmp
markers-checker-base := $(MARKERS_DIR)/scripts/check-formats/base.h
markers-objects = $(filter-out $(markers-unchecked) $(addprefix %/,$(markers-unchecked)),\
	$(patsubst %.ko,%.o,$(shell cat $(markers-order))))

# Without a compiler for this machine the build goes on: markers.ko checks at load time, too.
quiet_cmd_markers_checker = HOSTCC  $@
      cmd_markers_checker = $(HOSTCC) -std=gnu11 -I$(MARKERS_DIR) -include $(markers-checker-base) \
	-o $@ $(filter %.c,$^) || rm -f $@

$(markers-checker): $(MARKERS_DIR)/scripts/check-formats/check-formats.c $(markers-checker-base) \
		$(addprefix $(MARKERS_DIR)/markers/format/,format.c conversion.c field_names.c pointer.c format.h)
	$(call cmd,markers_checker)

# What may only be set before the include; the rest of the Kbuild has been read when a recipe runs.
markers-debug := $(MARKERS_DEBUG)
markers-set-late = $(strip $(if $(filter-out x$(markers-debug),x$(MARKERS_DEBUG)),MARKERS_DEBUG) \
	$(if $(markers-optional),,$(if $(filter-out n,$(MARKERS_OPTIONAL)),MARKERS_OPTIONAL)) \
	$(if $(filter-out $(KBUILD_EXTRA_SYMBOLS),$(markers-symvers)),KBUILD_EXTRA_SYMBOLS))
markers-check-late = $(if $(markers-set-late),$(error $(call markers-kbuild,$(KBUILD_EXTMOD)) sets \
$(markers-set-late) after it includes client.mk: do that before the include))

# In a directory below, MARKERS_DEBUG is for a client.mk that is included there.
markers-below = $(shell for dir in $(sort $(dir $(shell cat $(markers-order)))); do \
	while dir=$${dir%/} && case $$dir in (''|.|$(KBUILD_EXTMOD)) false;; esac; do \
		file=$$dir/Kbuild; [ -e $$file ] || file=$$dir/Makefile; \
		if grep -qs '^[[:space:]]*MARKERS_DEBUG[[:space:]]*[:?+]*=' $$file && \
				! grep -q 'client\.mk' $$file; then \
			echo $$file; \
		fi; \
		case $$dir in (*/*) dir=$${dir%/*};; (*) dir=;; esac; \
	done; done)
markers-check-below = $(if $(markers-below),$(error $(firstword $(markers-below)) sets MARKERS_DEBUG, which nothing \
reads there: set it in $(call markers-kbuild,$(KBUILD_EXTMOD)) before the include, for all directories, or put the line \
"include $(MARKERS_DIR)/scripts/client.mk" after it, for that directory and those below))

quiet_cmd_markers_formats = FORMATS $(markers-order)
      cmd_markers_formats = if [ -x $(markers-checker) ]; then \
		$(markers-checker) $(markers-objects); \
	else \
		echo >&2 "note: $(HOSTCC) does not compile, see above: formats of markers are checked at load only"; \
	fi

PHONY += __markers_formats
__markers_formats: $(markers-checker) $(markers-order)
	$(markers-check-late)$(markers-check-below)$(call cmd,markers_formats)

__modpost: __markers_formats
# Up to Linux 5.10, modpost itself would come before them.
$(KBUILD_EXTMOD)/Module.symvers: | __markers_formats
endif

endif

endif
