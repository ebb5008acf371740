package dev.stowage.cli.input;

/** A problem and a plan from the same file. */
public sealed interface FilePlan permits PlacedInput, PlacedShapes {}
