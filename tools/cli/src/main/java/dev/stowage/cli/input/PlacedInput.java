package dev.stowage.cli.input;

import dev.stowage.plan.OffsetsAssignment;

/**
 * A problem and a plan from the same file. The records are not pinned.
 *
 * @param input the problem
 * @param plan the offsets, in the smallest arena that contains all records
 */
public record PlacedInput(PlanInput.Tensors input, OffsetsAssignment plan) {}
