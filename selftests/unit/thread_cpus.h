/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CPUs that are threads: signals are their interrupts, NMIs and inter-processor calls.
 *
 * ThreadSanitizer holds signals back until a thread makes a library call, so with it the
 * threads interrupt themselves: SIGNALS is false then.
 */
#ifndef _UNIT_THREAD_CPUS_H
#define _UNIT_THREAD_CPUS_H

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "new_ring.h"

#define SIG_IRQ		SIGUSR1
#define SIG_NMI		SIGUSR2
#define SIG_CALL	SIGURG

#ifdef __SANITIZE_THREAD__
#define SIGNALS		false
#else
#define SIGNALS		true
#endif

#define MAX_WRITERS	8

static struct thread_cpu {
	pthread_t thread;
	pthread_mutex_t lock;
	bool running;
	void (*call)(void *arg);
	void *arg;
	bool wanted;
} thread_cpus[MAX_WRITERS];
static int nr_writers = 2;

/* Run the function that another CPU asks for. */
static void on_call(int sig)
{
	struct thread_cpu *c = &thread_cpus[unit_cpu];
	int saved = errno;

	(void)sig;
	if (__atomic_load_n(&c->wanted, __ATOMIC_ACQUIRE)) {
		c->call(c->arg);
		__atomic_store_n(&c->wanted, false, __ATOMIC_RELEASE);
	}
	errno = saved;
}

/* smp_call_function_single(): in an interrupt of that CPU, or when it is idle. */
static void call_cpu(int cpu, void (*fn)(void *), void *arg)
{
	struct thread_cpu *c = &thread_cpus[cpu];
	int self = unit_cpu;

	if (cpu >= nr_writers) {
		fn(arg);
		return;
	}
	pthread_mutex_lock(&c->lock);
	if (c->running) {
		c->call = fn;
		c->arg = arg;
		__atomic_store_n(&c->wanted, true, __ATOMIC_RELEASE);
		if (SIGNALS)
			pthread_kill(c->thread, SIG_CALL);
		while (__atomic_load_n(&c->wanted, __ATOMIC_ACQUIRE))
			sched_yield();
	} else {
		unit_cpu = cpu;
		fn(arg);
		unit_cpu = self;
	}
	pthread_mutex_unlock(&c->lock);
}

static void handle(int sig, void (*fn)(int), int also_blocked)
{
	struct sigaction sa = { .sa_handler = fn, .sa_flags = SA_RESTART };

	sigemptyset(&sa.sa_mask);
	if (also_blocked)
		sigaddset(&sa.sa_mask, also_blocked);
	sigaction(sig, &sa, NULL);
}

static void set_signals(int how)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIG_IRQ);
	sigaddset(&set, SIG_NMI);
	sigaddset(&set, SIG_CALL);
	pthread_sigmask(how, &set, NULL);
}

/* Threads inherit that signals are blocked; only the CPUs unblock them. */
static void init_cpus(void (*on_irq)(int), void (*on_nmi)(int))
{
	set_signals(SIG_BLOCK);
	handle(SIG_IRQ, on_irq, SIG_CALL);
	handle(SIG_CALL, on_call, SIG_IRQ);
	handle(SIG_NMI, on_nmi, 0);
	unit_call = call_cpu;
}

static timer_t start_timer(int sig, long ns)
{
	struct itimerspec spec = { { 0, ns }, { 0, ns } };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = sig };
	timer_t timer;

	event._sigev_un._tid = syscall(SYS_gettid);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &spec, NULL);
	return timer;
}

static void start_cpu(int cpu, void *(*fn)(void *), void *arg)
{
	struct thread_cpu *c = &thread_cpus[cpu];

	memset(c, 0, sizeof(*c));
	pthread_mutex_init(&c->lock, NULL);
	c->running = true;
	pthread_create(&c->thread, NULL, fn, arg);
}

/* The CPU's thread calls this at its end: no call may stay pending. */
static void stop_cpu(int cpu)
{
	struct thread_cpu *c = &thread_cpus[cpu];

	while (pthread_mutex_trylock(&c->lock)) {
		if (!SIGNALS)
			on_call(0);
		usleep(10);
	}
	set_signals(SIG_BLOCK);
	c->running = false;
	pthread_mutex_unlock(&c->lock);
}

#endif /* _UNIT_THREAD_CPUS_H */
