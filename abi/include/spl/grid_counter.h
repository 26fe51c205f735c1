// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/**
 * \file
 * The counter of the grid barriers of one launch, for code for a GPU. Plain C without dependencies.
 * Compiler and runtime both include it.
 *
 * A kernel with a grid barrier takes the address of a counter of 32 bits, in memory of the device,
 * and after it a fault record. The launcher sets the counter to 0 before each launch. No two
 * launches that may run at once have the same one. All groups of the launch must run at once, as
 * cuLaunchCooperativeKernel guarantees.
 *
 * At a barrier, one work-item of each group adds to the counter and waits until the top bit flips.
 * The sum of what all groups add flips this bit and leaves the other bits as they were, so the
 * next barrier needs no reset.
 *
 * Bit 0 says that a work-item of the launch has failed. Every group that waits at a barrier or
 * reaches one then ends. The numbers that are added are even, so they do not change this bit.
 */
#ifndef SPL_GRID_COUNTER_H
#define SPL_GRID_COUNTER_H

/** The bit that flips at each barrier. */
#define SPL_GRID_FLIP 0x80000000u

/** What each group adds, except the one with the ids 0, which adds the rest to SPL_GRID_FLIP. */
#define SPL_GRID_ARRIVAL 2u

/** Set where a work-item of the launch has failed. */
#define SPL_GRID_STOP 1u

#endif
