package dev.stowage.cli.input;

import dev.stowage.plan.OffsetsAssignment;

/**
 * A program of XLA. Its temporaries are planned.
 *
 * @param plan XLA's own offsets of the records
 * @param otherBytes the bytes of the program that are not planned: its parameters, results,
 *     constants, and temporaries in other memories
 */
public record XlaProgram(OffsetsAssignment plan, long otherBytes) {}
