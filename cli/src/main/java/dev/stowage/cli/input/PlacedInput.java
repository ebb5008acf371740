package dev.stowage.cli.input;

import dev.stowage.core.plan.OffsetsAssignment;

/**
 * A problem with an offset for every record, read as a plan: its records are not pinned.
 *
 * @param input the problem
 * @param plan the offsets, in the smallest arena that holds all records
 */
public record PlacedInput(PlanInput.Tensors input, OffsetsAssignment plan) {}
